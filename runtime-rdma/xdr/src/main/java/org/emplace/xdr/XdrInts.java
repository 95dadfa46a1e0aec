// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** An immutable array of XDR {@code int}s. */
public final class XdrInts extends XdrNumbers {
    /** The empty array. */
    public static final XdrInts EMPTY = of();

    private XdrInts(byte[] owned) {
        super(owned, Integer.BYTES);
    }

    /** Returns an array with a copy of these numbers. */
    public static XdrInts of(int... values) {
        byte[] wire = allocate(values.length, Integer.BYTES);
        ByteBuffer.wrap(wire).asIntBuffer().put(values);
        return new XdrInts(wire);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound in elements, or {@link XdrDecoder#UNBOUNDED}
     */
    public static XdrInts decode(XdrDecoder in, long max) throws XdrException {
        return new XdrInts(in.readElements(max, Integer.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrInts decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrInts(in.readBytes((long) size * Integer.BYTES));
    }

    /**
     * Returns the element at {@code index}.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #size()}
     */
    public int get(int index) {
        return word(index);
    }

    /** The elements in order. */
    public IntStream stream() {
        return IntStream.range(0, size()).map(this::get);
    }

    /** Returns a copy of the elements. */
    public int[] toArray() {
        int[] values = new int[size()];
        elements().asIntBuffer().get(values);
        return values;
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
