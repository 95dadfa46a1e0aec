// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Draws declarations: members of structs, arms of unions, and typedefs. */
final class RandomDeclarations {
    /** The most leaves of a type's values, counting arrays as short. */
    private static final int HEAVIEST = 250;

    private static final int DEEPEST_ANONYMOUS = 2;

    private static final List<String> NUMBERS = List.of(
            "int", "unsigned int", "hyper", "unsigned hyper", "float", "double", "bool", "unsigned", "u_int", "long");
    private static final List<String> NUMBERS_OF_OURS =
            List.of("quadruple", "unsigned long", "uint64_t", "short", "unsigned char");
    private static final List<Integer> SIZES = List.of(1, 1, 2, 3, 4, 5, 8, 33);
    private static final List<String> BOUNDS = List.of(
            "", "", "", "0", "1", "3", "4", "5", "31", "32", "1024", "65536", "2147483647", "2147483648", "4294967295");

    /** A type that can be referred to, with the leaves of its values. */
    record Known(String name, int weight) {}

    /** A declaration's text, without a semicolon. */
    record Declaration(String text, int weight) {}

    private final Random random;
    private final Dialect dialect;
    private final RandomNames names;
    private final List<Known> known = new ArrayList<>();
    private final List<String> constants = new ArrayList<>();

    RandomDeclarations(Random random, Dialect dialect, RandomNames names) {
        this.random = random;
        this.dialect = dialect;
        this.names = names;
    }

    void add(String type, int weight) {
        known.add(new Known(type, weight));
    }

    /** A constant that can be a bound: positive and small. */
    void addBound(String constant) {
        constants.add(constant);
    }

    /** All types that can be referred to. */
    List<Known> known() {
        return known;
    }

    Declaration declaration(String name) {
        return declaration(name, 0);
    }

    /** Whether a typedef of a declaration may be a value type: of bytes, a number or an array. */
    static boolean mayBeValue(Declaration declaration) {
        String text = declaration.text();
        boolean isNumber = NUMBERS.stream().anyMatch(number -> text.startsWith(number + " "));
        boolean isBytes = text.startsWith("opaque ") || text.startsWith("string ");
        boolean isArray = text.endsWith("]") || text.endsWith(">");
        return (isNumber || isBytes || isArray) && !text.contains("*") && !text.startsWith("struct");
    }

    /** Draws members of a struct, at least {@code least}. */
    Declaration members(int least, Set<String> siblings, int anonymous) {
        StringBuilder text = new StringBuilder();
        int weight = 0;
        int count = least + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            Declaration member = declaration(names.member(siblings), anonymous);
            text.append("    ".repeat(anonymous + 1)).append(member.text()).append(";\n");
            weight += member.weight();
        }
        return new Declaration(text.toString(), weight);
    }

    private Declaration declaration(String name, int anonymous) {
        return switch (random.nextInt(8)) {
            case 0 -> new Declaration("opaque " + name + "[" + size() + "]", 1);
            case 1 -> new Declaration("opaque " + name + bound(), 1);
            case 2 -> new Declaration("string " + name + bound(), 1);
            case 3 ->
                dialect == Dialect.WHOLE && anonymous < DEEPEST_ANONYMOUS
                        ? anonymousStruct(name, anonymous)
                        : shaped(number(), name);
            case 4, 5 -> shaped(number(), name);
            default -> shaped(known.isEmpty() ? number() : known.get(random.nextInt(known.size())), name);
        };
    }

    private Declaration anonymousStruct(String name, int anonymous) {
        Declaration members = members(1, new HashSet<>(), anonymous + 1);
        Known struct = new Known("struct {\n" + members.text() + "    ".repeat(anonymous + 1) + "}", members.weight());
        return shaped(struct, name);
    }

    private Known number() {
        boolean ours = dialect == Dialect.WHOLE && random.nextInt(4) == 0;
        List<String> numbers = ours ? NUMBERS_OF_OURS : NUMBERS;
        return new Known(numbers.get(random.nextInt(numbers.size())), 1);
    }

    private Declaration shaped(Known type, String name) {
        int size = size();
        return switch (random.nextInt(10)) {
            case 0 ->
                type.weight() * size > HEAVIEST
                        ? optional(type, name)
                        : new Declaration(type.name() + " " + name + "[" + sizeText(size) + "]", size * type.weight());
            case 1, 2 -> new Declaration(type.name() + " " + name + bound(), 1 + 3 * Math.min(type.weight(), HEAVIEST));
            case 3 -> optional(type, name);
            default ->
                type.weight() > HEAVIEST
                        ? optional(type, name)
                        : new Declaration(type.name() + " " + name, type.weight());
        };
    }

    private static Declaration optional(Known type, String name) {
        return new Declaration(type.name() + " *" + name, 1 + type.weight() / 2);
    }

    private int size() {
        return SIZES.get(random.nextInt(SIZES.size()));
    }

    /** A number, sometimes in hexadecimal. */
    private String sizeText(int size) {
        return random.nextInt(4) == 0 ? "0x" + Integer.toHexString(size) : String.valueOf(size);
    }

    /** {@code <>}, {@code <5>} or {@code <NAME>}. */
    String bound() {
        String bound = !constants.isEmpty() && random.nextInt(4) == 0
                ? constants.get(random.nextInt(constants.size()))
                : BOUNDS.get(random.nextInt(BOUNDS.size()));
        return "<" + bound + ">";
    }
}
