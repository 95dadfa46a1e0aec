// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

/** The type of a declaration. Bounds are numbers; an absent bound is 2^32-1 (RFC 4506 section 4.10). */
public sealed interface XdrType {

    /** The bound of {@code <>}. */
    long UNBOUNDED = 0xffff_ffffL;

    /** Whether a count or a flag precedes the content in the stream. */
    default boolean isCounted() {
        return this instanceof VariableOpaque
                || this instanceof StringType
                || this instanceof VariableArray
                || this instanceof Optional;
    }

    /** {@code opaque} or {@code string}. */
    sealed interface Bytes extends XdrType {}

    /** An array of fixed or variable length. */
    sealed interface Array extends XdrType {
        /** The type of its elements. */
        XdrType element();
    }

    /** The primitive types. */
    enum Primitive implements XdrType {
        INT(4),
        UNSIGNED_INT(4),
        HYPER(8),
        UNSIGNED_HYPER(8),
        FLOAT(4),
        DOUBLE(8),
        QUADRUPLE(16),
        BOOL(4),
        /** Only as a procedure's argument or result. */
        VOID(0);

        private final int encodedSize;

        Primitive(int encodedSize) {
            this.encodedSize = encodedSize;
        }

        /** Whether memory and stream differ only in the order of its bytes. */
        public boolean isNumber() {
            return this != BOOL && this != QUADRUPLE && this != VOID;
        }

        /** The bytes that a value takes in the XDR stream. */
        public int encodedSize() {
            return encodedSize;
        }
    }

    /** {@code opaque x[size]}. */
    record FixedOpaque(long size) implements Bytes {}

    /** {@code opaque x<max>}. */
    record VariableOpaque(long max) implements Bytes {}

    /** {@code string x<max>}. */
    record StringType(long max) implements Bytes {}

    /** {@code element x[size]}. */
    record FixedArray(XdrType element, long size) implements Array {}

    /** {@code element x<max>}. */
    record VariableArray(XdrType element, long max) implements Array {}

    /** {@code element *x}. */
    record Optional(XdrType element) implements XdrType {}

    /** A named type, by its XDR name in {@link Protocol#types}. */
    record Reference(String name) implements XdrType {}
}
