// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * The elements of an XDR array of numbers (RFC 4506 sections 4.12 and 4.13): immutable, kept as they are on the wire, without an object for each. Equal where the type and all bits
 * are. Each of these types has a static {@code decode} for variable-length arrays and a {@code decodeFixed} for fixed-length ones.
 */
public abstract sealed class XdrNumbers permits XdrInts, XdrUnsignedInts, XdrLongs, XdrFloats, XdrDoubles {
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The elements, big-endian. */
    private final byte[] wire;

    private final int size;

    /** Takes the array over: it must not escape. */
    XdrNumbers(byte[] owned, int elementSize) {
        this.wire = owned;
        this.size = owned.length / elementSize;
    }

    /** Room for so many elements. */
    static byte[] room(int size, int elementSize) {
        return new byte[Math.multiplyExact(size, elementSize)];
    }

    /** The number of elements. */
    public final int size() {
        return size;
    }

    /** The bits of an element that takes four bytes. */
    final int word(int index) {
        return (int) INT.get(wire, Objects.checkIndex(index, size) * Integer.BYTES);
    }

    /** The bits of an element that takes eight bytes. */
    final long doubleWord(int index) {
        return (long) LONG.get(wire, Objects.checkIndex(index, size) * Long.BYTES);
    }

    /** All elements, to be read only. */
    final ByteBuffer elements() {
        return ByteBuffer.wrap(wire);
    }

    /** Appends the encoding of a fixed-length array: the elements. */
    public final void encodeFixed(XdrEncoder out) {
        out.writeBytes(wire);
    }

    /** Appends the encoding of a variable-length array: the count, and the elements. */
    public final void encode(XdrEncoder out) {
        out.writeInt(size);
        out.writeBytes(wire);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof XdrNumbers that && getClass() == that.getClass() && Arrays.equals(wire, that.wire);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(wire);
    }

    /** The elements in brackets, as those of a list. */
    @Override
    public abstract String toString();
}
