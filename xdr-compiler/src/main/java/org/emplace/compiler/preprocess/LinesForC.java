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

/**
 * What the lines that begin with {@code %} define. rpcgen copies them into its output, where C gives names a meaning that they do not have in XDR.
 *
 * @param constants numbers by name
 * @param types names of types by name, in the words of C
 * @param mentions the first line that contains a name
 */
public record LinesForC(Map<String, Constant> constants, Map<String, Type> types, Map<String, Span> mentions) {

    public LinesForC {
        constants = Map.copyOf(constants);
        types = Map.copyOf(types);
        mentions = Map.copyOf(mentions);
    }

    /** A number that a macro names, and where the macro is defined. */
    public record Constant(BigInteger number, Span span) {}

    /** A type that a macro or a typedef names, and where that is defined. */
    public record Type(String type, Span span) {}

    /** What the lines of several files define, of which the first that defines a name prevails. */
    public static LinesForC of(List<LinesForC> files) {
        Map<String, Constant> constants = new LinkedHashMap<>();
        Map<String, Type> types = new LinkedHashMap<>();
        Map<String, Span> mentions = new LinkedHashMap<>();
        for (LinesForC file : files) {
            file.constants.forEach(constants::putIfAbsent);
            file.types.forEach(types::putIfAbsent);
            file.mentions.forEach(mentions::putIfAbsent);
        }
        return new LinesForC(constants, types, mentions);
    }

    /** Collects the lines of a file. */
    static final class Collector {

        private static final Pattern NAME = Pattern.compile("[a-zA-Z_]\\w*");
        private static final Pattern COMMENT = Pattern.compile("/\\*.*?(\\*/|$)|//.*");
        private static final Pattern DEFINE = Pattern.compile("%\\s*#\\s*define\\s+([a-zA-Z_]\\w*)[ \\t]+(\\S.*)");
        private static final Pattern NAME_OF_TYPE = Pattern.compile("[a-zA-Z_]\\w*(?:\\s+[a-zA-Z_]\\w*)*");
        private static final Pattern TYPEDEF =
                Pattern.compile("%\\s*typedef\\s+(" + NAME_OF_TYPE + ")\\s+([a-zA-Z_]\\w*)\\s*;\\s*");

        private final Map<String, Span> defined = new LinkedHashMap<>();
        private final Map<String, Type> types = new LinkedHashMap<>();
        private final Map<String, Span> mentions = new LinkedHashMap<>();
        private final Macros macros = new Macros(new Diagnostics());

        /** Adds a line. */
        void add(String text, int number, PresumedPlace place) {
            Matcher define = DEFINE.matcher(text);
            Matcher typedef = TYPEDEF.matcher(COMMENT.matcher(text).replaceAll(" "));
            if (define.matches()) {
                String name = define.group(1);
                Span span = place.span(number, define.start(1) + 1, name.length());
                List<Lexeme> body = new LineScanner().scan(define.group(2), 1);
                macros.define(new Macro(name, false, body, span));
                defined.putIfAbsent(name, span);
                type(name, COMMENT.matcher(define.group(2)).replaceAll(" ").strip(), span);
            } else if (typedef.matches()) {
                String name = typedef.group(2);
                type(name, typedef.group(1), place.span(number, typedef.start(2) + 1, name.length()));
            }
            Matcher names = NAME.matcher(text);
            while (names.find()) {
                mentions.putIfAbsent(
                        names.group(),
                        place.span(number, names.start() + 1, names.group().length()));
            }
        }

        private void type(String name, String words, Span span) {
            if (NAME_OF_TYPE.matcher(words).matches() && !words.equals(name)) {
                types.putIfAbsent(name, new Type(words.replaceAll("\\s+", " "), span));
            }
        }

        /** The lines so far. */
        LinesForC lines() {
            Map<String, Constant> constants = new LinkedHashMap<>();
            defined.forEach((name, span) ->
                    number(name).ifPresent(number -> constants.put(name, new Constant(number, span))));
            return new LinesForC(constants, new LinkedHashMap<>(types), new LinkedHashMap<>(mentions));
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
}
