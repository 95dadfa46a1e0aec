// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;
import java.util.Optional;

/**
 * A type of a drawn protocol, at one place in the arguments or results. Two places of the same type have two nodes with
 * the same names.
 */
sealed interface Node {

    /** A node of the same type for another place. */
    Node copy();

    /** A member of a struct. */
    record Member(String name, Node node) {
        Member copy() {
            return new Member(name, node.copy());
        }

        static List<Member> copies(List<Member> members) {
            return members.stream().map(Member::copy).toList();
        }
    }

    /** A small value that is not eligible. */
    enum Plain implements Node {
        INT("int %s"),
        HYPER("unsigned hyper %s"),
        BOOL("bool %s"),
        FIXED("opaque %s[5]"),
        COUNTED("opaque %s<12>"),
        TEXT("string %s<9>"),
        MAYBE("int *%s"),
        NUMBERS("int %s<3>"),
        /** Alone larger than the smaller of the inline thresholds. */
        BULK("opaque %s<2400>");

        private final String declaration;

        Plain(String declaration) {
            this.declaration = declaration;
        }

        String declaration(String name) {
            return declaration.formatted(name);
        }

        @Override
        public Node copy() {
            return this;
        }
    }

    /** An eligible item. Compared by identity. */
    final class Item implements Node {
        private final Content content;
        private final Size size;

        Item(Content content, Size size) {
            this.content = content;
            this.size = size;
        }

        Content content() {
            return content;
        }

        Size size() {
            return size;
        }

        @Override
        public Node copy() {
            return new Item(content, size);
        }
    }

    /** A struct. */
    record Struct(String name, List<Member> members) implements Node {
        @Override
        public Struct copy() {
            return new Struct(name, Member.copies(members));
        }
    }

    /**
     * A union.
     *
     * @param discriminant its type
     * @param arms at least one; the default arm is the last
     */
    record Union(String name, String discriminant, List<Arm> arms) implements Node {

        /**
         * An arm.
         *
         * @param label the text after {@code case}; empty for the default arm
         * @param value the discriminant, or one of those that select the default arm
         * @param content empty for void
         */
        record Arm(String label, int value, Optional<Member> content) {
            Arm copy() {
                return new Arm(label, value, content.map(Member::copy));
            }
        }

        @Override
        public Union copy() {
            return new Union(name, discriminant, arms.stream().map(Arm::copy).toList());
        }
    }

    /** Optional-data of a struct. */
    record Option(Struct element) implements Node {
        @Override
        public Node copy() {
            return new Option(element.copy());
        }
    }

    /** A node that repeats what is in it. Compared by identity. */
    sealed interface Repetition extends Node {}

    /** An array of structs, unions or arrays. */
    final class Array implements Repetition {
        private final String name;
        private final Node element;
        private final boolean fixed;
        private final int bound;

        /**
         * @param name of the typedef, if this is the element of another array
         * @param bound the number of elements, or the largest; -1 without a bound
         */
        Array(String name, Node element, boolean fixed, int bound) {
            this.name = name;
            this.element = element;
            this.fixed = fixed;
            this.bound = bound;
        }

        String name() {
            return name;
        }

        Node element() {
            return element;
        }

        boolean isFixed() {
            return fixed;
        }

        int bound() {
            return bound;
        }

        @Override
        public Node copy() {
            return new Array(name, element.copy(), fixed, bound);
        }
    }

    /** A linked list, with members before and after its link. Compared by identity. */
    final class Linked implements Repetition {
        private final String name;
        private final List<Member> before;
        private final List<Member> after;
        private final boolean neverEmpty;

        /** @param neverEmpty whether a member holds the first element itself instead of a pointer to it */
        Linked(String name, List<Member> before, List<Member> after, boolean neverEmpty) {
            this.name = name;
            this.before = before;
            this.after = after;
            this.neverEmpty = neverEmpty;
        }

        String name() {
            return name;
        }

        List<Member> before() {
            return before;
        }

        List<Member> after() {
            return after;
        }

        boolean isNeverEmpty() {
            return neverEmpty;
        }

        @Override
        public Node copy() {
            return new Linked(name, Member.copies(before), Member.copies(after), neverEmpty);
        }
    }

    /** A number in the arguments from which sizes of results are computed. */
    record SizeField(int index) implements Node {
        String name() {
            return "c" + index;
        }

        @Override
        public Node copy() {
            return this;
        }
    }

    /**
     * The array in the arguments whose elements have the sizes of the results' elements.
     *
     * @param arms the number of arms, if its elements are unions; 0 if they are structs
     */
    record SizeArray(int index, int arms, boolean operations) implements Node {
        String name() {
            return "r" + index;
        }

        @Override
        public Node copy() {
            return this;
        }
    }

    /** The status of an operation. */
    record Status() implements Node {
        /** The name of the enum, and the names of the values 0 and 1. */
        static final String TYPE = "st";

        static final List<String> VALUES = List.of("OK", "BAD");

        @Override
        public Node copy() {
            return this;
        }
    }

    /**
     * The results of operations: an element for each operation up to the first that fails.
     *
     * @param array the operations
     * @param results an array of unions with the arms of the operations
     */
    record Operations(SizeArray array, Array results) implements Node {
        @Override
        public Node copy() {
            return new Operations(array, (Array) results.copy());
        }
    }
}
