// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.preprocess.Directives.Directive;
import org.emplace.compiler.preprocess.Macros.Macro;
import org.emplace.compiler.preprocess.PreprocessedText.PresumedPlace;
import org.emplace.compiler.source.SourceFile;

/** Processes the lines of a file. Replaces lines that are not for the compiler by empty ones. */
final class FilePass {

    private static final Pattern LIKE_CLAUSE = Pattern.compile("/[*/]+\\s*@\\s*ddp\\b");

    private final SourceFile file;
    private final String[] lines;
    private final Preprocessor preprocessor;
    private final Diagnostics diagnostics;
    private final LineScanner scanner = new LineScanner();
    private final Conditionals conditionals;
    private PresumedPlace place;
    private int at;

    FilePass(SourceFile file, Preprocessor preprocessor, Diagnostics diagnostics) {
        this.file = file;
        this.lines = file.text().split("\n", -1);
        this.preprocessor = preprocessor;
        this.diagnostics = diagnostics;
        this.conditionals = new Conditionals(diagnostics);
        this.place = new PresumedPlace(file.name(), 0);
    }

    void run() {
        while (at < lines.length && !preprocessor.isStopped()) {
            if (scanner.isInComment()) {
                text();
            } else if (lines[at].startsWith("%")) {
                percentLine();
            } else if (lines[at].stripLeading().startsWith("#")) {
                directive();
            } else {
                text();
            }
        }
        if (!preprocessor.isStopped()) {
            conditionals.end();
            scanner.opening()
                    .ifPresent(opening -> diagnostics.report(
                            Diagnostic.error("E102", place.span(opening), "this comment is not terminated")));
        }
    }

    private void text() {
        List<Lexeme> lexemes = scanner.scan(lines[at], at + 1);
        if (!conditionals.isActive()) {
            blank();
        } else if (preprocessor.macros().touch(lexemes)) {
            append(lexemes, preprocessor.macros().expand(lexemes, place));
        } else {
            append(lines[at], List.of());
        }
    }

    /** Appends a line. A lexeme of the expansion is original if it is the same object as before. */
    private void append(List<Lexeme> original, List<Lexeme> expanded) {
        StringBuilder text = new StringBuilder();
        List<PreprocessedText.Piece> pieces = new ArrayList<>();
        int next = 0;
        for (Lexeme lexeme : expanded) {
            while (original.get(next).column() < lexeme.column()) {
                next++;
            }
            Lexeme from = original.get(next);
            Optional<Macro> macro = lexeme.equals(from)
                    ? Optional.empty()
                    : preprocessor.macros().find(from.text());
            pieces.add(new PreprocessedText.Piece(text.length(), from, macro));
            text.append(lexeme.text());
        }
        append(text.toString(), pieces);
    }

    private void blank() {
        append("", List.of());
    }

    private void append(String text, List<PreprocessedText.Piece> pieces) {
        preprocessor.append(new PreprocessedText.Line(text, place, at + 1, pieces));
        at++;
    }

    private void percentLine() {
        if (conditionals.isActive()) {
            diagnostics.report(Extension.PERCENT_LINE.at(
                    place.span(at + 1, 1, lines[at].length()), "lines that begin with `%` are for C, and are ignored"));
            Matcher clause = LIKE_CLAUSE.matcher(lines[at]);
            if (clause.find()) {
                diagnostics.report(Diagnostic.warning(
                                "W110",
                                place.span(at + 1, clause.start() + 1, clause.end() - clause.start()),
                                "this looks like a binding clause, but a line that begins with `%` is for C")
                        .hint("write the clause in a line of its own, without `%`"));
            }
            preprocessor.linesForC().add(lines[at], at + 1, place);
        }
        boolean continues;
        do {
            continues = lines[at].endsWith("\\");
            blank();
        } while (continues && at < lines.length);
    }

    private void directive() {
        PresumedPlace here = place;
        List<Lexeme> lexemes = new ArrayList<>();
        boolean continues;
        do {
            String line = lines[at];
            continues = line.endsWith("\\");
            lexemes.addAll(scanner.scan(continues ? line.substring(0, line.length() - 1) : line, at + 1));
            blank();
        } while ((continues || scanner.isInComment()) && at < lines.length);
        Directive directive = Directive.of(lexemes, here);
        diagnostics.report(Extension.PREPROCESSOR.at(directive.span(), "preprocessor directives are not part of XDR"));
        Directives directives = new Directives(preprocessor, conditionals, diagnostics, file.name(), here);
        place = directives.carryOut(directive, at + 1);
    }
}
