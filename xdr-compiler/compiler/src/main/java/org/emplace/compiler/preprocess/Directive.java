// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.source.Span;

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
