// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

/** The type of a declaration. Bounds are numbers; an absent bound is 2^32-1 (RFC 4506 section 4.10). */
public sealed interface XdrType {

    /** The bound of {@code <>}. */
    long UNBOUNDED = 0xffff_ffffL;

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

        /** The bytes that a value takes in the XDR stream. */
        public int encodedSize() {
            return encodedSize;
        }
    }

    /** {@code opaque x[size]}. */
    record FixedOpaque(long size) implements XdrType {}

    /** {@code opaque x<max>}. */
    record VariableOpaque(long max) implements XdrType {}

    /** {@code string x<max>}. */
    record StringType(long max) implements XdrType {}

    /** {@code element x[size]}. */
    record FixedArray(XdrType element, long size) implements XdrType {}

    /** {@code element x<max>}. */
    record VariableArray(XdrType element, long max) implements XdrType {}

    /** {@code element *x}. */
    record Optional(XdrType element) implements XdrType {}

    /** A named type, by its XDR name in {@link Protocol#types}. */
    record Reference(String name) implements XdrType {}
}
