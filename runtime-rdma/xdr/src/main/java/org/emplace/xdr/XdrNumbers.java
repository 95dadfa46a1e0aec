// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * The elements of an XDR array of numbers (RFC 4506 sections 4.12 and 4.13): immutable, without an object for each. Each of these types has a static
 * {@code decode} for variable-length arrays and a {@code decodeFixed} for fixed-length ones.
 */
public sealed interface XdrNumbers permits XdrInts, XdrUnsignedInts, XdrLongs, XdrFloats, XdrDoubles {

    /** The number of elements. */
    int size();

    /** Appends the encoding of a fixed-length array: the elements. */
    void encodeFixed(XdrEncoder out);

    /** Appends the encoding of a variable-length array: the count, and the elements. */
    default void encode(XdrEncoder out) {
        out.writeInt(size());
        encodeFixed(out);
    }
}
