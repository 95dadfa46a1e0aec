// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.emplace.tests.codegen.mapping.Node.Array;
import org.emplace.tests.codegen.mapping.Node.Linked;
import org.emplace.tests.codegen.mapping.Node.Member;
import org.emplace.tests.codegen.mapping.Node.SizeArray;
import org.emplace.tests.codegen.mapping.Node.Union;

/** Writes the definitions of a draft's types, each before its use. */
final class XdrText {
    private final Draft draft;
    private final Map<String, String> definitions = new LinkedHashMap<>();

    XdrText(Draft draft) {
        this.draft = draft;
    }

    Collection<String> definitions() {
        return definitions.values();
    }

    /** Defines a struct, and returns its name. A struct has at least one member. */
    String struct(String name, List<Member> members) {
        String text = members.isEmpty()
                ? " int m;"
                : members.stream().map(each -> " " + declaration(each) + ";").collect(Collectors.joining());
        definitions.putIfAbsent(name, "struct " + name + " {" + text + " };");
        return name;
    }

    /** The name of a type that has one. Defines it first. */
    String typeOf(Node node) {
        if (node instanceof Node.Struct struct) {
            return struct(struct.name(), struct.members());
        } else if (node instanceof Union union) {
            return union(union);
        } else if (node instanceof Array array) {
            String text = "typedef " + typeOf(array.element()) + " " + array.name() + shape(array) + ";";
            definitions.putIfAbsent(array.name(), text);
            return array.name();
        } else if (node instanceof Linked list) {
            return linked(list);
        } else if (node instanceof Node.Status) {
            return status();
        }
        throw new IllegalArgumentException("no type of its own: " + node);
    }

    private String declaration(Member member) {
        Node node = member.node();
        String name = member.name();
        if (node instanceof Node.Plain plain) {
            return plain.declaration(name);
        } else if (node instanceof Node.Item item) {
            return "/*@ddp eligible" + item.size().clause(draft) + " */ "
                    + item.content().declaration(name, definitions);
        } else if (node instanceof Node.Option option) {
            return typeOf(option.element()) + " *" + name;
        } else if (node instanceof Array array) {
            return typeOf(array.element()) + " " + name + shape(array);
        } else if (node instanceof Linked list) {
            return linked(list) + (list.isNeverEmpty() ? " " : " *") + name;
        } else if (node instanceof Node.SizeField) {
            return "unsigned int " + name;
        } else if (node instanceof SizeArray array) {
            return sizes(array) + " " + name + "<>";
        } else if (node instanceof Node.Operations operations) {
            return typeOf(operations.results().element()) + " " + name + "<>";
        }
        return typeOf(node) + " " + name;
    }

    private static String shape(Array array) {
        if (array.isFixed()) {
            return "[" + array.bound() + "]";
        }
        return array.bound() < 0 ? "<>" : "<" + array.bound() + ">";
    }

    private String union(Union union) {
        if (union.discriminant().equals(Node.Status.TYPE)) {
            status();
        }
        String arms = union.arms().stream().map(this::arm).collect(Collectors.joining());
        definitions.putIfAbsent(
                union.name(), "union " + union.name() + " switch (" + union.discriminant() + " what) {" + arms + " };");
        return union.name();
    }

    private String arm(Union.Arm arm) {
        return (arm.label().isEmpty() ? " default: " : " case " + arm.label() + ": ")
                + arm.content().map(this::declaration).orElse("void") + ";";
    }

    private String linked(Linked list) {
        String before = members(list.before());
        String after = members(list.after());
        definitions.putIfAbsent(
                list.name(), "struct " + list.name() + " {" + before + " " + list.name() + " *next;" + after + " };");
        return list.name();
    }

    private String members(List<Member> members) {
        return members.stream().map(each -> " " + declaration(each) + ";").collect(Collectors.joining());
    }

    private String status() {
        definitions.putIfAbsent(
                Node.Status.TYPE,
                "enum " + Node.Status.TYPE + " { " + Node.Status.VALUES.get(0) + " = 0, " + Node.Status.VALUES.get(1)
                        + " = 1 };");
        return Node.Status.TYPE;
    }

    /** The elements of an array of sizes: structs of numbers, or unions with such a struct in each arm. */
    private String sizes(SizeArray array) {
        String name = "size" + array.index();
        String numbers = IntStream.range(0, Sizes.NUMBERS)
                .mapToObj(j -> " unsigned int l" + j + ";")
                .collect(Collectors.joining());
        if (array.arms() == 0) {
            definitions.putIfAbsent(name, "struct " + name + " {" + numbers + " };");
            return name;
        }
        definitions.putIfAbsent("numbers", "struct numbers {" + numbers + " };");
        String discriminant = array.operations() ? operations(array) : "int";
        String arms = IntStream.range(0, array.arms())
                .mapToObj(arm -> " case " + (array.operations() ? "OP" : "") + arm + ": numbers a" + arm + ";")
                .collect(Collectors.joining());
        definitions.putIfAbsent(name, "union " + name + " switch (" + discriminant + " what) {" + arms + " };");
        return name;
    }

    private String operations(SizeArray array) {
        String labels = IntStream.range(0, array.arms())
                .mapToObj(arm -> "OP" + arm + " = " + arm)
                .collect(Collectors.joining(", "));
        definitions.putIfAbsent("op", "enum op { " + labels + " };");
        return "op";
    }
}
