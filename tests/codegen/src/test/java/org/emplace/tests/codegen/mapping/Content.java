// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.Map;

/** What an eligible item is. */
sealed interface Content {

    /** The declaration of a member. Adds the definitions of types that it needs. */
    String declaration(String name, Map<String, String> definitions);

    /** Whether it is a payload, which has a destination, instead of being decoded from its chunk. */
    default boolean isPayload() {
        return false;
    }

    /** Whether it is optional-data, or a list. */
    default boolean mayBeAbsent() {
        return false;
    }

    /** The least bytes of the item. */
    long least();

    /** The most bytes of the item; {@link Size#UNBOUNDED} without a bound. */
    long most();

    /** Writes a value of at most so many bytes, if possible. Returns its first byte, or -1 if it is absent. */
    int write(Encoding out, Draws draws, long limit, Lengths lengths);

    /**
     * {@code opaque} or {@code string}.
     *
     * @param alias the name of a typedef; empty for none
     * @param bound the number of bytes, or the largest; -1 without a bound
     */
    record Bytes(boolean isText, boolean fixed, long bound, String alias) implements Content {
        @Override
        public String declaration(String name, Map<String, String> definitions) {
            String type = isText ? "string " : "opaque ";
            String shape = shape(fixed, bound);
            if (alias.isEmpty()) {
                return type + name + shape;
            }
            definitions.put(alias, "typedef " + type + alias + shape + ";");
            return alias + " " + name;
        }

        @Override
        public boolean isPayload() {
            return true;
        }

        @Override
        public long least() {
            return fixed ? bound : 0;
        }

        @Override
        public long most() {
            return bound;
        }

        @Override
        public int write(Encoding out, Draws draws, long limit, Lengths lengths) {
            int count = fixed ? (int) bound : (int) lengths.of(draws.at("length"), limit);
            if (!fixed) {
                out.writeInt(count);
            }
            int start = out.length();
            out.writeBytes(count, draws.bytes(), isText);
            return start;
        }
    }

    /** An array of numbers of so many bytes each. */
    record Numbers(String type, int width, boolean fixed, long bound) implements Content {
        @Override
        public String declaration(String name, Map<String, String> definitions) {
            return type + " " + name + shape(fixed, bound);
        }

        @Override
        public boolean isPayload() {
            return true;
        }

        @Override
        public long least() {
            return fixed ? width * bound : 0;
        }

        @Override
        public long most() {
            return bound < 0 ? Size.UNBOUNDED : width * bound;
        }

        @Override
        public int write(Encoding out, Draws draws, long limit, Lengths lengths) {
            int count = fixed ? (int) bound : (int) lengths.of(draws.at("length"), limit) / width;
            if (!fixed) {
                out.writeInt(count);
            }
            int start = out.length();
            out.writeBytes(count * width, draws.bytes(), false);
            return start;
        }
    }

    /**
     * A struct, an array or a list of structs, or optional-data, which is decoded from its chunk.
     *
     * @param name of the struct
     * @param bytes the largest number of bytes in each struct, beside a number
     * @param bound the number of elements of an array, or the largest
     */
    record Encoded(Form form, String name, int bytes, int bound) implements Content {
        enum Form {
            STRUCT("%s %s"),
            FIXED("%s %s[%d]"),
            COUNTED("%s %s<%d>"),
            OPTION("%s *%s"),
            LIST("%s *%s");

            private final String declaration;

            Form(String declaration) {
                this.declaration = declaration;
            }
        }

        @Override
        public boolean mayBeAbsent() {
            return form == Form.OPTION || form == Form.LIST;
        }

        @Override
        public String declaration(String member, Map<String, String> definitions) {
            definitions.put(
                    name,
                    "struct " + name + " { int a; opaque b<" + bytes + ">;"
                            + (form == Form.LIST ? " " + name + " *next;" : "") + " };");
            return form.declaration.formatted(name, member, bound);
        }

        @Override
        public long least() {
            return switch (form) {
                case STRUCT, OPTION -> 8;
                case FIXED -> 8L * bound;
                case COUNTED -> 0;
                case LIST -> 12;
            };
        }

        @Override
        public long most() {
            long each = 8L + ((bytes + 3) & ~3);
            return switch (form) {
                case STRUCT, OPTION -> each;
                case FIXED, COUNTED -> each * bound;
                case LIST -> Size.UNBOUNDED;
            };
        }

        @Override
        public int write(Encoding out, Draws draws, long limit, Lengths lengths) {
            int own = form == Form.LIST ? 12 : 8;
            int count = switch (form) {
                case STRUCT -> 1;
                case FIXED -> bound;
                case COUNTED -> (int) Math.min(draws.at("count").below(bound + 1), limit / own);
                case OPTION -> limit < own ? 0 : draws.at("count").below(2);
                case LIST -> (int) Math.min(draws.at("count").below(4), limit / own);
            };
            if (form != Form.STRUCT && form != Form.FIXED) {
                out.writeInt(form == Form.LIST ? Math.min(count, 1) : count);
            }
            if (count == 0 && mayBeAbsent()) {
                return -1;
            }
            int start = out.length();
            long left = limit - (long) own * count;
            for (int i = 0; i < count; i++) {
                Draws each = draws.at(i);
                out.writeInt(i);
                int length = (int) lengths.of(each.at("length"), Math.max(0, Math.min(bytes, left & ~3L)));
                out.writeInt(length);
                out.writeBytes(length, each.bytes(), false);
                left -= (length + 3) & ~3;
                if (form == Form.LIST) {
                    out.writeInt(i < count - 1 ? 1 : 0);
                }
            }
            return start;
        }
    }

    private static String shape(boolean fixed, long bound) {
        return fixed ? "[" + bound + "]" : bound < 0 ? "<>" : "<" + bound + ">";
    }
}
