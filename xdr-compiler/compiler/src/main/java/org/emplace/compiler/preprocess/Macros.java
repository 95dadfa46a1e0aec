// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.PreprocessedText.PresumedPlace;
import org.emplace.compiler.source.Span;

/** The macros that are defined at a point of the text, and their expansion. */
final class Macros {

    private static final int MOST_CHARACTERS = 1_000_000;
    private static final int DEEPEST = 200;
    private static final String DEFINED = "defined";

    private final Map<String, Macro> defined = new HashMap<>();
    private final Diagnostics diagnostics;
    private int characters;

    Macros(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** Defines a macro. Reports one that is already defined differently. */
    void define(Macro macro) {
        Macro before = defined.put(macro.name(), macro);
        if (before != null && !before.text().equals(macro.text())) {
            diagnostics.report(Diagnostic.warning(
                            "W111", macro.defined(), "`" + macro.name() + "` already has a different definition")
                    .note(before.defined(), "defined here"));
        }
    }

    void undefine(String name) {
        defined.remove(name);
    }

    boolean isDefined(String name) {
        return defined.containsKey(name);
    }

    Optional<Macro> find(String name) {
        return Optional.ofNullable(defined.get(name));
    }

    /** Whether a line contains macros. */
    boolean touch(List<Lexeme> line) {
        return line.stream().anyMatch(lexeme -> lexeme.kind() == Lexeme.Kind.NAME && isDefined(lexeme.text()));
    }

    /** Expands lexemes. Reports errors at the places that {@code file} gives to the lexemes. */
    List<Lexeme> expand(List<Lexeme> lexemes, PresumedPlace file) {
        List<Lexeme> out = new ArrayList<>();
        boolean afterDefined = false;
        characters = 0;
        for (Lexeme lexeme : lexemes) {
            if (afterDefined && lexeme.kind() == Lexeme.Kind.NAME) {
                out.add(lexeme);
            } else if (!expand(lexeme, new HashSet<>(), out)) {
                diagnostics.report(Diagnostic.error(
                        "E118",
                        file.span(lexeme),
                        "`" + lexeme.text() + "` expands to more than " + MOST_CHARACTERS
                                + " characters, or through more than " + DEEPEST + " macros"));
                return lexemes;
            }
            afterDefined = lexeme.is(DEFINED) || (afterDefined && (lexeme.isBlank() || lexeme.is("(")));
        }
        functionUse(out)
                .ifPresent(use -> diagnostics.report(Diagnostic.error(
                                "E114",
                                file.span(use),
                                "`" + use.text() + "` is a macro with parameters, which this compiler does not expand")
                        .note(span(use.text()), "defined here")
                        .hint("write its expansion instead")));
        return out;
    }

    /** Appends a macro's replacement. Returns false if it is too long. As in C, a name that is being expanded is not expanded again. */
    private boolean expand(Lexeme lexeme, Set<String> active, List<Lexeme> out) {
        characters += active.isEmpty() ? 0 : lexeme.text().length();
        if (characters > MOST_CHARACTERS || active.size() > DEEPEST) {
            return false;
        }
        Macro macro = lexeme.kind() == Lexeme.Kind.NAME ? defined.get(lexeme.text()) : null;
        if (macro == null || macro.isFunctionLike() || active.contains(macro.name())) {
            out.add(lexeme);
            return true;
        }
        active.add(macro.name());
        for (Lexeme part : macro.body()) {
            if (!expand(part.at(lexeme), active, out)) {
                return false;
            }
        }
        active.remove(macro.name());
        return true;
    }

    private Optional<Lexeme> functionUse(List<Lexeme> lexemes) {
        Optional<Lexeme> candidate = Optional.empty();
        for (Lexeme lexeme : lexemes) {
            if (candidate.isPresent() && lexeme.is("(")) {
                return candidate;
            } else if (lexeme.kind() == Lexeme.Kind.NAME) {
                Macro macro = defined.get(lexeme.text());
                candidate = macro != null && macro.isFunctionLike() ? Optional.of(lexeme) : Optional.empty();
            } else if (!lexeme.isBlank()) {
                candidate = Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Span span(String name) {
        Macro macro = defined.get(name);
        if (macro == null) {
            throw new IllegalArgumentException(name + " is not defined");
        }
        return macro.defined();
    }

    /**
     * A macro.
     *
     * @param isFunctionLike whether it has parameters; such a macro is recorded, but not expanded
     * @param defined where; a macro of the command line is in a file of that name
     */
    record Macro(String name, boolean isFunctionLike, List<Lexeme> body, Span defined) {

        Macro {
            body = List.copyOf(body);
        }

        /** The replacement as text. Two definitions are the same if their texts are. */
        String text() {
            return body.stream().map(Lexeme::text).collect(Collectors.joining());
        }
    }
}
