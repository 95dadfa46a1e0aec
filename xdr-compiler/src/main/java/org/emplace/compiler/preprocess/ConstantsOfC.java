// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;

/** Collects the numbers that {@code %#define} lines give names to. In C, the output of rpcgen can use them as bounds. */
final class ConstantsOfC {

    private static final Pattern DEFINE = Pattern.compile("%\\s*#\\s*define\\s+([a-zA-Z_]\\w*)[ \\t]+(\\S.*)");

    private final Map<String, Span> places = new LinkedHashMap<>();
    private final Macros macros = new Macros(new Diagnostics());

    /** Adds the definition on a line, if there is one. */
    void line(String text, int number, PresumedPlace place) {
        Matcher matcher = DEFINE.matcher(text);
        if (matcher.matches()) {
            String name = matcher.group(1);
            Span span = place.span(number, matcher.start(1) + 1, name.length());
            List<Lexeme> body = new LineScanner().scan(matcher.group(2), 1);
            macros.define(new Macro(name, false, body, span));
            places.putIfAbsent(name, span);
        }
    }

    /** The numbers by name. */
    Map<String, PreprocessedText.Constant> numbers() {
        Map<String, PreprocessedText.Constant> numbers = new LinkedHashMap<>();
        places.forEach((name, span) ->
                number(name).ifPresent(number -> numbers.put(name, new PreprocessedText.Constant(number, span))));
        return numbers;
    }

    private Optional<BigInteger> number(String name) {
        Lexeme use = new Lexeme(Lexeme.Kind.NAME, name, 1, 1);
        List<Lexeme> expanded = macros.expand(List.of(use), new PresumedPlace(name, 0));
        if (expanded.stream().anyMatch(lexeme -> lexeme.kind() == Lexeme.Kind.NAME)) {
            return Optional.empty();
        }
        try {
            return Optional.of(BigInteger.valueOf(Condition.value(expanded, macros::isDefined)));
        } catch (Condition.MalformedException notNumber) {
            return Optional.empty();
        }
    }
}
