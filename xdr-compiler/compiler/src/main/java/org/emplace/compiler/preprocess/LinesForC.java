// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.Macros.Macro;
import org.emplace.compiler.preprocess.PreprocessedText.PresumedPlace;
import org.emplace.compiler.source.Span;

/**
 * What the lines that begin with {@code %} define. rpcgen copies them into its output, where C gives names a meaning that they do not have in XDR.
 *
 * @param constants numbers by name
 * @param types names of types by name, in the words of C; of several definitions the first
 * @param mentions the first line that contains a name
 * @param macros where directives define macros, which count only in their own file from there on
 * @param ambiguous the names that have several definitions, of which C chooses one by conditions, or that stand for such a name, with these definitions:
 *     different numbers, or types in different words, which may still be the same
 */
public record LinesForC(
        Map<String, Constant> constants,
        Map<String, Type> types,
        Map<String, Span> mentions,
        Map<String, Span> macros,
        Map<String, List<Type>> ambiguous) {

    /** No lines. */
    public static final LinesForC NONE = new LinesForC(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    public LinesForC {
        constants = Map.copyOf(constants);
        types = Map.copyOf(types);
        mentions = Map.copyOf(mentions);
        macros = Map.copyOf(macros);
        ambiguous = Map.copyOf(ambiguous);
    }

    /** A number that a macro names, and where the macro is defined. */
    public record Constant(BigInteger number, Span span) {

        private Type definition() {
            return new Type(number.toString(), span);
        }
    }

    /** What a macro or a typedef names, in the words of C, and where that is defined. */
    public record Type(String type, Span span) {}

    /** What to do about a name that is undefined where it is used, though a directive defines it; the error without it is given. */
    public Optional<Diagnostic> outsideMacro(String name, Diagnostic undefined) {
        return Optional.ofNullable(macros.get(name))
                .map(macro -> undefined
                        .note(macro, "a macro counts only in its own file, from its line on")
                        .hint("move it up, into a file that both include, or define a const or typedef instead"));
    }

    /** What the lines of several files define. */
    public static LinesForC of(List<LinesForC> files) {
        Map<String, Constant> constants = new LinkedHashMap<>();
        Map<String, Type> types = new LinkedHashMap<>();
        Map<String, Span> mentions = new LinkedHashMap<>();
        Map<String, Span> macros = new LinkedHashMap<>();
        Map<String, List<Type>> ambiguous = new LinkedHashMap<>();
        for (LinesForC file : files) {
            file.ambiguous.forEach(ambiguous::putIfAbsent);
            file.constants.forEach((name, constant) -> {
                Constant first = constants.putIfAbsent(name, constant);
                if (first != null && !first.number.equals(constant.number)) {
                    ambiguous.putIfAbsent(name, List.of(first.definition(), constant.definition()));
                }
            });
            file.types.forEach((name, type) -> {
                Type first = types.putIfAbsent(name, type);
                if (first != null && !first.type.equals(type.type)) {
                    ambiguous.putIfAbsent(name, List.of(first, type));
                }
            });
            file.mentions.forEach(mentions::putIfAbsent);
            file.macros.forEach(macros::putIfAbsent);
        }
        constants.keySet().removeAll(ambiguous.keySet());
        return new LinesForC(constants, types, mentions, macros, ambiguous);
    }

    /** Collects the lines of a file. */
    static final class Collector {

        private static final Pattern NAME = Pattern.compile("[a-zA-Z_]\\w*");
        private static final Pattern COMMENT = Pattern.compile("/\\*.*?(\\*/|$)|//.*");
        private static final Pattern DEFINE = Pattern.compile("%\\s*#\\s*define\\s+([a-zA-Z_]\\w*)[ \\t]+(\\S.*)");
        private static final Pattern NAME_OF_TYPE = Pattern.compile("[a-zA-Z_]\\w*(?:\\s+[a-zA-Z_]\\w*)*");
        private static final Pattern TYPEDEF =
                Pattern.compile("%\\s*typedef\\s+(" + NAME_OF_TYPE + ")\\s+([a-zA-Z_]\\w*)\\s*;\\s*");

        private static final Pattern INCLUDE = Pattern.compile("%\\s*#\\s*include\\b.*");

        private final Map<String, Span> defined = new LinkedHashMap<>();
        private final Map<String, Map<String, Type>> definitions = new LinkedHashMap<>();
        private final Map<String, Type> types = new LinkedHashMap<>();
        private final Map<String, Span> mentions = new LinkedHashMap<>();
        private final Map<String, Span> directives = new LinkedHashMap<>();
        private final Macros macros = new Macros(new Diagnostics());

        /** Adds a macro that a directive defines. */
        void add(Macro macro) {
            directives.putIfAbsent(macro.name(), macro.defined());
        }

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
                String words = COMMENT.matcher(define.group(2)).replaceAll(" ").strip();
                define(name, words, span);
                type(name, words, span);
            } else if (typedef.matches()) {
                String name = typedef.group(2);
                Span span = place.span(number, typedef.start(2) + 1, name.length());
                define(name, typedef.group(1), span);
                type(name, typedef.group(1), span);
            }
            String code = COMMENT.matcher(text)
                    .replaceAll(comment -> " ".repeat(comment.group().length()));
            Matcher names = NAME.matcher(INCLUDE.matcher(code).matches() ? "" : code);
            while (names.find()) {
                mentions.putIfAbsent(
                        names.group(),
                        place.span(number, names.start() + 1, names.group().length()));
            }
        }

        private void define(String name, String words, Span span) {
            Type definition = new Type(words.replaceAll("\\s+", " "), span);
            definitions.computeIfAbsent(name, key -> new LinkedHashMap<>()).putIfAbsent(definition.type, definition);
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
            return LinesForC.of(List.of(new LinesForC(constants, types, mentions, directives, ambiguous())));
        }

        /** The names with several definitions that are not one number, and those that stand for one of them. */
        private Map<String, List<Type>> ambiguous() {
            Map<String, List<Type>> ambiguous = new LinkedHashMap<>();
            Map<String, List<String>> users = new LinkedHashMap<>();
            definitions.forEach((name, all) -> {
                if (all.size() > 1 && !areOneNumber(all.keySet())) {
                    ambiguous.put(name, List.copyOf(all.values()));
                }
                all.keySet()
                        .forEach(words -> NAME.matcher(words)
                                .results()
                                .forEach(used -> users.computeIfAbsent(used.group(), key -> new ArrayList<>())
                                        .add(name)));
            });
            Deque<String> left = new ArrayDeque<>(ambiguous.keySet());
            while (!left.isEmpty()) {
                List<Type> all = ambiguous.get(left.element());
                for (String user : users.getOrDefault(left.remove(), List.of())) {
                    if (all != null && ambiguous.putIfAbsent(user, all) == null) {
                        left.add(user);
                    }
                }
            }
            return ambiguous;
        }

        private boolean areOneNumber(Set<String> definitions) {
            Set<Optional<BigInteger>> numbers =
                    definitions.stream().map(this::number).collect(Collectors.toSet());
            return numbers.size() == 1 && !numbers.contains(Optional.empty());
        }

        private Optional<BigInteger> number(String words) {
            List<Lexeme> expanded = macros.expand(new LineScanner().scan(words, 1), new PresumedPlace(words, 0));
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
