// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.tests.codegen.random.RandomDeclarations.Declaration;
import org.emplace.tests.codegen.random.RandomDeclarations.Known;

/** Draws one protocol: definitions, each of which may use earlier ones, and a program. */
final class ProtocolDraft {
    private static final List<Integer> EDGES =
            List.of(0, 1, -1, 2, 255, 256, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE);

    private final long seed;
    private final Dialect dialect;
    private final Random random;
    private final RandomNames names;
    private final RandomDeclarations declarations;
    private final List<String> definitions = new ArrayList<>();

    /** The entries of the sidecar. */
    private final List<String> sidecar = new ArrayList<>();

    /** The number of constants that a clause renames in Java. */
    private int named;

    /** The enumerators of each enum, with their values. */
    private final Map<String, Map<String, Integer>> enums = new LinkedHashMap<>();

    private final List<Known> arguments = new ArrayList<>();

    /** The next program's procedure whose calls are lists of operations; empty if it has none. */
    private String operations = "";

    ProtocolDraft(long seed, Dialect dialect, Random random) {
        this.seed = seed;
        this.dialect = dialect;
        this.random = random;
        this.names = new RandomNames(random, dialect, seed);
        this.declarations = new RandomDeclarations(random, dialect, names);
    }

    RandomProtocol finish() {
        addConstant();
        addEnum();
        addDefinitions(3 + random.nextInt(dialect == Dialect.WHOLE ? 7 : 4));
        arguments.addAll(declarations.known());
        if (dialect == Dialect.WHOLE) {
            addBoundStruct();
            addOperations();
            Collections.shuffle(definitions, random);
        }
        addProgram(0x20000000L + seed);
        return new RandomProtocol(seed, dialect, files());
    }

    /**
     * Adds to a protocol that this draft has drawn: files with definitions and a program before and after its files, an arm in its unions that
     * switch on numbers, and a procedure in each version of its program.
     */
    RandomProtocol extended(RandomProtocol drawn) {
        SortedMap<String, String> files = new TreeMap<>();
        drawn.files().forEach((name, text) -> files.put(name, withProceduresMore(withArmsMore(text))));
        for (String name : List.of("a_before.x", "z_behind.x")) {
            definitions.clear();
            sidecar.clear();
            addConstant();
            addDefinitions(4);
            arguments.addAll(declarations.known());
            addProgram(0x30000000L + files.size());
            put(name, definitions, files);
        }
        return new RandomProtocol(seed, dialect, files);
    }

    private static String withArmsMore(String text) {
        return text.replaceAll(
                "(union \\w+ switch \\((unsigned )?int \\w+\\) \\{\n)", "$1case 4242:\n    int one_arm_more;\n");
    }

    private String withProceduresMore(String text) {
        return Pattern.compile("    version \\w+ \\{\n")
                .matcher(text)
                .replaceAll(version -> version.group() + "        "
                        + procedure(arguments.get(random.nextInt(arguments.size()))) + " = 4242;\n");
    }

    private void addDefinitions(int count) {
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(12)) {
                case 0 -> addConstant();
                case 1 -> addEnum();
                case 2, 3, 4 -> addTypedef();
                case 5, 6, 7 -> addStruct();
                case 8, 9 -> addUnion();
                case 10 -> addList();
                default -> addPair();
            }
        }
    }

    private SortedMap<String, String> files() {
        int count = dialect == Dialect.WHOLE ? 1 + random.nextInt(3) : 1;
        SortedMap<String, String> files = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int from = definitions.size() * i / count;
            int to = definitions.size() * (i + 1) / count;
            put("random%d_%d.x".formatted(seed, i), definitions.subList(from, to), files);
            sidecar.clear();
        }
        return files;
    }

    /** Adds a file, and a sidecar beside it if there are entries. */
    private void put(String name, List<String> definitions, SortedMap<String, String> files) {
        files.put(name, String.join("\n", definitions));
        if (!sidecar.isEmpty()) {
            files.put(name.replaceFirst("x$", "ulb"), String.join("", sidecar));
        }
    }

    /** Adds a clause: returns it to precede its subject, or adds it to the sidecar. */
    private String clause(String subject, String clause) {
        if (random.nextBoolean()) {
            return "/*@ddp " + clause + " */\n";
        }
        sidecar.add(subject + " { " + clause + " }\n");
        return "";
    }

    /** Sometimes a clause that renames a constant. */
    private String named(String constant) {
        return dialect == Dialect.WHOLE && random.nextInt(6) == 0
                ? clause("constant " + constant, "name NAMED_" + ++named)
                : "";
    }

    private void addConstant() {
        String name = names.global();
        int value = 1 + random.nextInt(40);
        definitions.add(named(name) + "const " + name + " = " + value + ";\n");
        declarations.addBound(name);
    }

    private void addEnum() {
        String name = names.global();
        Map<String, Integer> enumerators = new LinkedHashMap<>();
        List<String> texts = new ArrayList<>();
        int next = 0;
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            String enumerator = names.global();
            boolean follows = random.nextInt(4) == 0 && (i == 0 || next != Integer.MIN_VALUE);
            int value = follows ? next : someInt();
            texts.add(named(enumerator) + "    " + (follows ? enumerator : enumerator + " = " + value));
            enumerators.put(enumerator, value);
            next = value + 1;
        }
        boolean isOpen = dialect == Dialect.WHOLE && random.nextInt(3) == 0;
        definitions.add((isOpen ? clause("type " + name, "open") : "") + "enum " + name + " {\n"
                + String.join(",\n", texts) + "\n};\n");
        enums.put(name, enumerators);
        declarations.add(name, 1);
    }

    private int someInt() {
        return random.nextBoolean() ? EDGES.get(random.nextInt(EDGES.size())) : random.nextInt(10);
    }

    private void addTypedef() {
        String name = names.global();
        if (dialect == Dialect.WHOLE && random.nextInt(5) == 0) {
            addBits(name);
            return;
        }
        Declaration target = declarations.declaration(name);
        boolean isValue = dialect == Dialect.WHOLE && RandomDeclarations.mayBeValue(target) && random.nextBoolean();
        boolean isText = target.text().startsWith("opaque ") && random.nextBoolean();
        definitions.add((isValue ? clause("type " + name, isText ? "value text" : "value") : "") + "typedef "
                + target.text() + ";\n");
        declarations.add(name, target.weight());
    }

    /** Adds a set of bits, sometimes with names for them. */
    private void addBits(String name) {
        String shape = random.nextInt(4) == 0 ? "[3]" : declarations.bound();
        String names = "";
        if (random.nextBoolean()) {
            names = " " + this.names.global();
            definitions.add(
                    "enum" + names + " { " + this.names.global() + " = 0, " + this.names.global() + " = 63 };\n");
        }
        definitions.add(clause("type " + name, "bits" + names) + "typedef unsigned int " + name + shape + ";\n");
        declarations.add(name, 3);
    }

    private void addStruct() {
        String name = names.global();
        Declaration members = declarations.members(1, new HashSet<>(), 0);
        addStruct(name, members.text());
        declarations.add(name, members.weight());
    }

    private void addStruct(String name, String members) {
        definitions.add("struct " + name + " {\n" + members + "};\n");
    }

    /** Adds a linked list, and a typedef of it. */
    private void addList() {
        String node = names.global();
        String list = names.global();
        Set<String> siblings = new HashSet<>();
        Declaration members = declarations.members(0, siblings, 0);
        String next = names.member(siblings);
        String behind =
                random.nextInt(3) == 0 ? declarations.members(0, siblings, 0).text() : "";
        if (dialect == Dialect.WHOLE && random.nextInt(4) == 0) {
            addStruct(node, members.text() + "    " + list + " " + next + ";\n" + behind);
            definitions.add("union %s switch (bool %s) {\ncase TRUE:\n    %s %s;\ncase FALSE:\n    void;\n};\n"
                    .formatted(list, names.member(new HashSet<>()), node, names.member(new HashSet<>())));
        } else {
            addStruct(node, members.text() + "    " + node + " *" + next + ";\n" + behind);
            definitions.add("typedef " + node + " *" + list + ";\n");
        }
        declarations.add(list, 1 + members.weight());
        if (random.nextInt(4) == 0) {
            declarations.add(node, 1 + members.weight());
        }
    }

    /** Adds two structs that contain each other. */
    private void addPair() {
        String first = names.global();
        String second = names.global();
        Set<String> ofFirst = new HashSet<>();
        Set<String> ofSecond = new HashSet<>();
        Declaration one = declarations.members(0, ofFirst, 0);
        Declaration other = declarations.members(0, ofSecond, 0);
        String ofSecondInFirst = names.member(ofFirst);
        String held = random.nextBoolean() ? "*" + ofSecondInFirst : ofSecondInFirst + "<>";
        addStruct(first, one.text() + "    struct " + second + " " + held + ";\n");
        addStruct(
                second,
                "    " + first + " " + names.member(ofSecond) + declarations.bound() + ";\n" + other.text() + "    int "
                        + names.member(ofSecond) + ";\n");
        declarations.add(first, 2 + one.weight() + other.weight());
        declarations.add(second, 2 + one.weight() + other.weight());
    }

    private void addUnion() {
        String name = names.global();
        Set<String> siblings = new HashSet<>();
        String discriminant = names.member(siblings);
        UnionCases cases = UnionCases.draw(random, enums);
        StringBuilder text = new StringBuilder(
                "union " + name + " switch (" + cases.discriminantType() + " " + discriminant + ") {\n");
        int weight = 0;
        for (List<String> labels : cases.arms()) {
            text.append(labels.stream().map(label -> "case " + label + ":\n").collect(Collectors.joining()));
            weight = Math.max(weight, arm(text, siblings));
        }
        if (cases.hasDefault()) {
            text.append("default:\n");
            weight = Math.max(weight, arm(text, siblings));
        }
        definitions.add(text.append("};\n").toString());
        declarations.add(name, 1 + weight);
    }

    private int arm(StringBuilder text, Set<String> siblings) {
        if (random.nextInt(4) == 0) {
            text.append("    void;\n");
            return 0;
        }
        Declaration declaration = declarations.declaration(names.member(siblings));
        text.append("    ").append(declaration.text()).append(";\n");
        return declaration.weight();
    }

    /** Adds a struct for results with a DDP-eligible item. */
    private void addBoundStruct() {
        String name = names.global();
        Set<String> siblings = new HashSet<>();
        Declaration members = declarations.members(0, siblings, 0);
        String kind = List.of("opaque", "string", "int", "unsigned int", "unsigned hyper", "float", "double")
                .get(random.nextInt(7));
        String shape = kind.equals("string") || random.nextInt(3) > 0 ? declarations.bound() : "[3]";
        String item = kind + " " + names.member(siblings) + shape;
        addStruct(name, members.text() + "    /*@ddp eligible as result; size 4096 */\n    " + item + ";\n");
        arguments.add(new Known(name, 1 + members.weight()));
    }

    /** Adds a procedure whose calls are lists of operations. */
    private void addOperations() {
        RandomOperations drawn = new RandomOperations(random, names, declarations, enums);
        String procedure = names.global();
        String declaration = drawn.procedure(procedure);
        operations = clause("procedure " + procedure, drawn.clause()) + declaration + " = 99;\n";
        definitions.addAll(drawn.definitions());
    }

    /** Adds a program with procedures that take every type once, and return another. */
    private void addProgram(long programNumber) {
        String program = names.global();
        StringBuilder text = new StringBuilder("program " + program + " {\n");
        int number = random.nextInt(3);
        int versions = Math.min(1 + random.nextInt(2), arguments.size());
        for (int version = 0; version < versions; version++) {
            String name = names.global();
            text.append(address(program + "." + name));
            text.append("    version ").append(name).append(" {\n");
            text.append(operations);
            operations = "";
            int from = arguments.size() * version / versions;
            int to = arguments.size() * (version + 1) / versions;
            for (Known type : arguments.subList(from, to)) {
                text.append("        ")
                        .append(procedure(type))
                        .append(" = ")
                        .append(number++)
                        .append(";\n");
            }
            text.append("    } = ").append(version + 1).append(";\n");
        }
        definitions.add(text.append("} = ").append(programNumber).append(";\n").toString());
    }

    /** Sometimes a clause with the port of a version. */
    private String address(String version) {
        List<String> clauses = List.of("port 20049", "port dynamic", "netid rdma", "direction backward");
        return dialect == Dialect.WHOLE && random.nextBoolean()
                ? clause("version " + version, clauses.get(random.nextInt(clauses.size())))
                : "";
    }

    private String procedure(Known type) {
        String name = names.global();
        String other = arguments.get(random.nextInt(arguments.size())).name();
        if (dialect == Dialect.RPCGEN) {
            return (random.nextInt(5) == 0 ? "void" : other) + " " + name + "(" + type.name() + ")";
        }
        String idempotent = random.nextInt(4) == 0 ? clause("procedure " + name, "idempotent") : "";
        return idempotent
                + switch (random.nextInt(5)) {
                    case 0 -> "void " + name + "(" + type.name() + ")";
                    case 1 -> type.name() + " " + name + "(void)";
                    case 2 -> type.name() + " " + name + "(" + other + ", unsigned int, " + type.name() + ")";
                    case 3 -> "string " + name + "(" + namedArguments(type) + ")";
                    default -> type.name() + " " + name + "(" + other + ")";
                };
    }

    private String namedArguments(Known type) {
        Set<String> siblings = new HashSet<>();
        return "%s %s, string %s<20>, unsigned int %s"
                .formatted(type.name(), names.member(siblings), names.member(siblings), names.member(siblings));
    }
}
