// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.Macros.Macro;
import org.emplace.compiler.preprocess.PreprocessedText.PresumedPlace;
import org.emplace.compiler.source.Span;

/**
 * Executes directives.
 *
 * @param includer the name of the file that contains them
 * @param place the presumed place of that file's lines
 */
record Directives(
        Preprocessor preprocessor,
        Conditionals conditionals,
        Diagnostics diagnostics,
        String includer,
        PresumedPlace place) {

    private static final Pattern INCLUDE = Pattern.compile("\"([^\"]+)\"|<([^>]+)>");

    /** Executes a directive. Returns the presumed place of the lines from {@code nextLine} on. */
    PresumedPlace carryOut(Directive directive, int nextLine) {
        switch (directive.name()) {
            case "if" -> conditionals.open(directive.span(), () -> holds(directive));
            case "ifdef" -> conditionals.open(directive.span(), () -> isDefined(directive, true));
            case "ifndef" -> conditionals.open(directive.span(), () -> isDefined(directive, false));
            case "elif" -> conditionals.alternative(directive.span(), false, () -> holds(directive));
            case "else" -> conditionals.alternative(directive.span(), true, () -> true);
            case "endif" -> conditionals.close(directive.span());
            default -> {
                return conditionals.isActive() ? active(directive, nextLine) : place;
            }
        }
        return place;
    }

    private PresumedPlace active(Directive directive, int nextLine) {
        switch (directive.name()) {
            case "define" -> define(directive);
            case "undef" ->
                subject(directive).ifPresent(name -> preprocessor.macros().undefine(name.text()));
            case "include" -> include(directive);
            case "error" -> diagnostics.report(Diagnostic.error("E117", directive.span(), said(directive)));
            case "warning" -> diagnostics.report(Diagnostic.warning("W117", directive.span(), said(directive)));
            case "line" -> {
                return line(directive, nextLine);
            }
            case "", "pragma", "ident", "sccs" -> {
                // Directives for compilers and archives of C have no effect.
            }
            default -> malformed(directive.span(), "unknown directive `#" + directive.name() + "`");
        }
        return place;
    }

    private static String said(Directive directive) {
        return "#" + directive.name() + ": " + directive.text();
    }

    private boolean isDefined(Directive directive, boolean expected) {
        return subject(directive)
                .filter(name -> preprocessor.macros().isDefined(name.text()) == expected)
                .isPresent();
    }

    private boolean holds(Directive directive) {
        try {
            Macros macros = preprocessor.macros();
            return Condition.value(macros.expand(directive.operands(), place), macros::isDefined) != 0;
        } catch (Condition.MalformedException e) {
            Span span = e.place().map(place::span).orElse(directive.span());
            diagnostics.report(Diagnostic.error("E115", span, String.valueOf(e.getMessage())));
            return false;
        }
    }

    private void define(Directive directive) {
        Optional<Lexeme> name = subject(directive);
        if (name.isEmpty()) {
            return;
        }
        List<Lexeme> rest = directive.operands().subList(1, directive.operands().size());
        boolean isFunctionLike = !rest.isEmpty() && rest.get(0).is("(");
        Macro macro = new Macro(name.get().text(), isFunctionLike, withoutComments(rest), place.span(name.get()));
        preprocessor.macros().define(macro);
        preprocessor.linesForC().add(macro);
    }

    private static List<Lexeme> withoutComments(List<Lexeme> lexemes) {
        return Directive.trimmed(lexemes).stream()
                .map(lexeme -> lexeme.kind() == Lexeme.Kind.COMMENT
                        ? new Lexeme(Lexeme.Kind.SPACE, " ", lexeme.line(), lexeme.column())
                        : lexeme)
                .toList();
    }

    private void include(Directive directive) {
        Matcher matcher = INCLUDE.matcher(directive.text());
        if (!matcher.matches()) {
            malformed(directive.span(), "#include needs \"FILE\" or <FILE>");
            return;
        }
        boolean isQuoted = matcher.group(1) != null;
        String written = isQuoted ? matcher.group(1) : matcher.group(2);
        Lexeme first = directive.operands().get(0);
        Span span = place.span(first.line(), first.column(), directive.text().length());
        preprocessor.include(written, isQuoted, includer, span);
    }

    private PresumedPlace line(Directive directive, int nextLine) {
        Optional<PresumedPlace> marked = LineMarker.of(directive.text())
                .map(marker -> new PresumedPlace(marker.file().orElse(place.file()), marker.line() - nextLine));
        if (marked.isEmpty()) {
            malformed(directive.span(), "expected a line number, or a line number and a file name in quotes");
        }
        return marked.orElse(place);
    }

    private Optional<Lexeme> subject(Directive directive) {
        Optional<Lexeme> name = directive.subject();
        if (name.isEmpty()) {
            malformed(directive.span(), "#" + directive.name() + " needs a name");
        }
        return name;
    }

    private void malformed(Span span, String message) {
        diagnostics.report(Diagnostic.error("E106", span, message));
    }

    /**
     * A line marker in the output of C's preprocessor: {@code # 12 "nfs.x" 1}.
     *
     * @param line the number of the following line
     * @param file the original file, if the marker names one
     */
    private record LineMarker(int line, Optional<String> file) {

        private static final Pattern MARKER = Pattern.compile("(\\d{1,9})(?:\\s+\"(.*)\"[^\"]*)?");
        private static final Pattern ESCAPE = Pattern.compile("\\\\([^0-7])|((?:\\\\[0-7]{3})+)");
        private static final int OCTAL = 8;

        /** Parses the text after the {@code #}. Returns empty if it is not a marker. */
        static Optional<LineMarker> of(String text) {
            Matcher matcher = MARKER.matcher(text);
            return matcher.matches()
                    ? Optional.of(new LineMarker(
                            Integer.parseInt(matcher.group(1)),
                            Optional.ofNullable(matcher.group(2))
                                    .map(LineMarker::unescaped)
                                    .filter(file -> !file.isEmpty())))
                    : Optional.empty();
        }

        /** Removes escapes: the preprocessor writes a backslash before quotes and backslashes, and an octal number for each unprintable byte. */
        private static String unescaped(String name) {
            return ESCAPE.matcher(name)
                    .replaceAll(escape ->
                            Matcher.quoteReplacement(escape.group(1) != null ? escape.group(1) : bytes(escape.group(2))));
        }

        private static String bytes(String escapes) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (String digits : escapes.substring(1).split("\\\\", -1)) {
                bytes.write(Integer.parseInt(digits, OCTAL));
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    /**
     * A line that begins with {@code #}, with its continuation lines.
     *
     * @param name the word after {@code #}; {@code line} for a line marker; empty for the null directive
     * @param operands the rest, without blanks at either end
     * @param span the word, or the {@code #} if there is none
     */
    record Directive(String name, List<Lexeme> operands, Span span) {

        /** Parses lexemes, of which the first that is not blank is {@code #}. */
        static Directive of(List<Lexeme> lexemes, PresumedPlace place) {
            List<Lexeme> line = trimmed(lexemes);
            List<Lexeme> rest = trimmed(line.subList(1, line.size()));
            if (rest.isEmpty()) {
                return new Directive("", List.of(), place.span(line.get(0)));
            }
            Lexeme word = rest.get(0);
            return word.kind() == Lexeme.Kind.NUMBER
                    ? new Directive("line", rest, place.span(word))
                    : new Directive(word.text(), trimmed(rest.subList(1, rest.size())), place.span(word));
        }

        /** The operands as text. */
        String text() {
            return operands.stream()
                    .map(lexeme -> lexeme.kind() == Lexeme.Kind.COMMENT ? " " : lexeme.text())
                    .collect(Collectors.joining())
                    .strip();
        }

        /** The name that the operands begin with, if any. */
        Optional<Lexeme> subject() {
            return operands.stream().findFirst().filter(first -> first.kind() == Lexeme.Kind.NAME);
        }

        static List<Lexeme> trimmed(List<Lexeme> lexemes) {
            int from = 0;
            int to = lexemes.size();
            while (from < to && lexemes.get(from).isBlank()) {
                from++;
            }
            while (from < to && lexemes.get(to - 1).isBlank()) {
                to--;
            }
            return lexemes.subList(from, to);
        }
    }
}
