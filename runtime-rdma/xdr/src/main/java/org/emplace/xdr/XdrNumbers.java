// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * An immutable array of XDR numbers (RFC 4506 sections 4.12 and 4.13). The elements are stored as they are encoded,
 * without an object for each. Two arrays are equal if their types and all bits are equal. Each subclass has a static
 * {@code decode} for variable-length arrays and a {@code decodeFixed} for fixed-length ones.
 */
public abstract sealed class XdrNumbers permits XdrInts, XdrUnsignedInts, XdrLongs, XdrFloats, XdrDoubles {
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The elements, big-endian. */
    private final byte[] wire;

    private final int size;

    /** Takes ownership of the array, which must not change from now on. */
    XdrNumbers(byte[] owned, int elementSize) {
        this.wire = owned;
        this.size = owned.length / elementSize;
    }

    /** Allocates an array for {@code size} elements. */
    static byte[] allocate(int size, int elementSize) {
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

    /** The elements, which callers must not change. */
    final ByteBuffer elements() {
        return ByteBuffer.wrap(wire);
    }

    /** Writes a fixed-length array: the elements. */
    public final void encodeFixed(XdrEncoder out) {
        out.writeBytes(wire);
    }

    /** Writes a variable-length array: the number of elements, then the elements. */
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

    /** The elements in brackets, like those of a list. */
    @Override
    public abstract String toString();
}
