// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** Draws a procedure whose calls are lists of operations, and its types. */
final class RandomOperations {
    private final Random random;
    private final RandomNames names;
    private final RandomDeclarations declarations;
    private final Map<String, Map<String, Integer>> enums;
    private final List<String> definitions = new ArrayList<>();
    private final String status;
    private final String success;
    private String clause = "";

    /** @param enums the enumerators of each enum, with their values */
    RandomOperations(
            Random random,
            RandomNames names,
            RandomDeclarations declarations,
            Map<String, Map<String, Integer>> enums) {
        this.random = random;
        this.names = names;
        this.declarations = declarations;
        this.enums = enums;
        this.status = anyOf(List.copyOf(enums.keySet()));
        this.success = anyOf(List.copyOf(enums.getOrDefault(status, Map.of()).keySet()));
    }

    /** The definitions of the types that {@link #procedure} has drawn. */
    List<String> definitions() {
        return definitions;
    }

    /** The clause that declares the operations of that procedure. */
    String clause() {
        return clause;
    }

    /** A procedure, without its number. */
    String procedure(String name) {
        UnionCases cases = UnionCases.draw(random, enums);
        while (cases.discriminantType().equals("bool")) {
            cases = UnionCases.draw(random, enums);
        }
        String argument = arguments(cases);
        String result = results(cases);
        Set<String> ofCall = new HashSet<>();
        Set<String> ofReply = new HashSet<>();
        String operations = names.member(ofCall);
        String results = names.member(ofReply);
        String call = holder(argument, operations, ofCall);
        String reply = holder(result, results, ofReply);
        clause = "operations args." + operations + ", results." + results + ", success " + success;
        return reply + " " + name + "(" + call + ")";
    }

    private String arguments(UnionCases cases) {
        Set<String> siblings = new HashSet<>();
        StringBuilder text = new StringBuilder(names.member(siblings) + ") {\n");
        for (List<String> labels : cases.arms()) {
            text.append(labels.stream().map(label -> "case " + label + ":\n").collect(Collectors.joining()));
            text.append(content(siblings));
        }
        return union(cases, cases.hasDefault() ? text + "default:\n" + content(siblings) : text.toString());
    }

    /** An arm for each label. The first one indicates success. */
    private String results(UnionCases cases) {
        Set<String> siblings = new HashSet<>();
        StringBuilder text = new StringBuilder(names.member(siblings) + ") {\n");
        String arm = "    " + status + " " + names.member(siblings) + ";\n";
        for (String label : cases.arms().stream().flatMap(List::stream).toList()) {
            text.append("case ").append(label).append(":\n").append(arm);
            arm = switch (random.nextInt(4)) {
                case 0 -> "    " + outcome(siblings) + " " + names.member(siblings) + ";\n";
                case 1 -> "    " + answer() + " " + names.member(siblings) + ";\n";
                default -> content(siblings);
            };
        }
        return union(cases, random.nextBoolean() ? text + "default:\n    void;\n" : text.toString());
    }

    private String union(UnionCases cases, String body) {
        String name = names.global();
        definitions.add("union " + name + " switch (" + cases.discriminantType() + " " + body + "};\n");
        return name;
    }

    private String content(Set<String> siblings) {
        return random.nextInt(4) == 0
                ? "    void;\n"
                : "    " + declarations.declaration(names.member(siblings)).text() + ";\n";
    }

    /** A union that switches on the status. */
    private String outcome(Set<String> siblings) {
        String name = names.global();
        definitions.add("union " + name + " switch (" + status + " " + names.member(new HashSet<>()) + ") {\ncase "
                + success + ":\n" + content(siblings) + "default:\n" + content(siblings) + "};\n");
        return name;
    }

    /** A struct that begins with the status. */
    private String answer() {
        Set<String> siblings = new HashSet<>();
        return struct("    " + status + " " + names.member(siblings) + ";\n"
                + declarations.members(0, siblings, 0).text());
    }

    private String holder(String element, String array, Set<String> siblings) {
        return struct(declarations.members(0, siblings, 0).text() + "    " + element + " " + array + "<>;\n"
                + declarations.members(0, siblings, 0).text());
    }

    private String struct(String members) {
        String name = names.global();
        definitions.add("struct " + name + " {\n" + members + "};\n");
        return name;
    }

    private <T> T anyOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
