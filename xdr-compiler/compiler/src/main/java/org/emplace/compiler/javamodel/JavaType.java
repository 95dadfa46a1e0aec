// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;

/** The Java type of an XDR type. The section "Types" of docs/generated-code.md describes these types. */
public sealed interface JavaType {

    /** The smallest number of bytes that a value takes in the stream. */
    int minimumSize();

    /** Whether a record's constructor checks the value against a bound that its Java type does not express. */
    default boolean isBounded() {
        return false;
    }

    /** Whether a record's constructor replaces the value with an unmodifiable copy. */
    default boolean isCopied() {
        return false;
    }

    /** Whether a value is an object, which must not be null. */
    default boolean isObject() {
        return true;
    }

    /** A number or {@code bool}, or {@link Primitive#VOID}. */
    record Scalar(Primitive primitive) implements JavaType {

        @Override
        public int minimumSize() {
            return primitive.encodedSize();
        }

        @Override
        public boolean isBounded() {
            return primitive == Primitive.UNSIGNED_INT;
        }

        @Override
        public boolean isObject() {
            return primitive == Primitive.QUADRUPLE;
        }

        /** The slots that a parameter of this type takes (JVM specification, section 4.3.3). */
        int slots() {
            return switch (primitive) {
                case UNSIGNED_INT, HYPER, UNSIGNED_HYPER, DOUBLE -> 2;
                case INT, FLOAT, QUADRUPLE, BOOL, VOID -> 1;
            };
        }
    }

    /**
     * {@code opaque} and {@code string}, held as a value or as a payload, and arrays of numbers held as payloads.
     *
     * @param size the fixed size, or the bound; for an array of numbers, in elements
     * @param elementSize bytes of an element; one except for the payload of an array of numbers
     */
    record Bytes(Kind kind, long size, int elementSize) implements JavaType {

        /** Bytes that are not an array of numbers. */
        Bytes(Kind kind, long size) {
            this(kind, size, 1);
        }

        /** How the bytes are held, and whether their number is fixed. */
        public enum Kind {
            OPAQUE,
            FIXED_OPAQUE,
            STRING,
            PAYLOAD,
            FIXED_PAYLOAD
        }

        /** The smallest size. A payload of fixed size leaves nothing in the stream if a chunk holds it. */
        @Override
        public int minimumSize() {
            return switch (kind) {
                case FIXED_PAYLOAD -> 0;
                case FIXED_OPAQUE -> (int) Math.min((size + 3) & ~3L, Integer.MAX_VALUE);
                case OPAQUE, STRING, PAYLOAD -> 4;
            };
        }

        @Override
        public boolean isBounded() {
            return kind == Kind.FIXED_OPAQUE
                    || kind == Kind.FIXED_PAYLOAD
                    || size < XdrType.UNBOUNDED
                    || elementSize > 1;
        }
    }

    /** An array of fixed or variable length. */
    sealed interface Counted extends JavaType {

        /** Whether its size is fixed. */
        boolean fixed();

        /** The fixed size, or the bound. */
        long size();

        /** The smallest number of bytes that an element takes in the stream. */
        int elementSize();

        @Override
        default int minimumSize() {
            return fixed() ? (int) Math.min(size() * elementSize(), Integer.MAX_VALUE) : 4;
        }

        /** Whether its definition limits its size. */
        default boolean isSized() {
            return fixed() || size() < XdrType.UNBOUNDED;
        }

        @Override
        default boolean isBounded() {
            return isSized();
        }
    }

    /**
     * An array of fixed or variable length whose elements are numbers.
     *
     * @param size the fixed size, or the bound
     */
    record Numbers(Primitive element, boolean fixed, long size) implements Counted {

        /** Whether arrays of these elements are of this kind. Others become lists. */
        static boolean isNumber(XdrType element) {
            return element instanceof Primitive primitive && primitive.isNumber();
        }

        @Override
        public int elementSize() {
            return element.encodedSize();
        }
    }

    /**
     * An array of words, of fixed or variable length, that is a set of bits.
     *
     * @param size the fixed size, or the bound, as text
     */
    record Bits(boolean fixed, long size) implements Counted {

        @Override
        public int elementSize() {
            return 4;
        }
    }

    /**
     * An array of fixed or variable length whose elements are not numbers.
     *
     * @param size the fixed size, or the bound
     */
    record Array(JavaType element, boolean fixed, long size) implements Counted {

        @Override
        public int elementSize() {
            return element.minimumSize();
        }

        @Override
        public boolean isBounded() {
            return isSized() || element.isBounded();
        }

        @Override
        public boolean isCopied() {
            return true;
        }
    }

    /**
     * A linked list: a struct that has a {@link org.emplace.compiler.model.Protocol#link link}, or optional-data of it. A loop encodes and decodes
     * it.
     *
     * @param isAroundLink whether members of the element follow its link
     * @param isNonEmpty whether the type is the struct itself, without a flag before its first element
     */
    record LinkedList(Generated element, boolean isAroundLink, boolean isNonEmpty) implements JavaType {

        @Override
        public int minimumSize() {
            return isNonEmpty ? element.minimumSize() + 4 : 4;
        }

        @Override
        public boolean isBounded() {
            return isNonEmpty;
        }

        @Override
        public boolean isCopied() {
            return true;
        }
    }

    /** Optional-data, or a union on {@code bool} with a value for TRUE and void for FALSE, which has the same encoding. */
    record OptionalData(JavaType element) implements JavaType {

        @Override
        public int minimumSize() {
            return 4;
        }

        @Override
        public boolean isBounded() {
            return element.isBounded();
        }

        @Override
        public boolean isCopied() {
            return element.isCopied();
        }
    }

    /** A DDP-eligible item other than bytes. Its chunk holds its encoding; a count or a first flag stays in the message. */
    record ChunkItem(JavaType item) implements JavaType {

        @Override
        public int minimumSize() {
            boolean hasCount = item instanceof Array array && !array.fixed();
            boolean hasFlag = item instanceof LinkedList list && !list.isNonEmpty();
            return hasCount || hasFlag ? 4 : 0;
        }

        @Override
        public boolean isBounded() {
            return item.isBounded();
        }

        @Override
        public boolean isCopied() {
            return item.isCopied();
        }
    }

    /** A generated class: an enum, struct or union, or a typedef that is a type of its own. Its own constructor checks its bounds. */
    record Generated(JavaName name, int minimumSize) implements JavaType {}
}
