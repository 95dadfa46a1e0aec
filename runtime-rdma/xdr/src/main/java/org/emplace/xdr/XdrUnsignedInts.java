// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.stream.LongStream;

/** An immutable array of XDR {@code unsigned int}s. Equal where all elements are equal. */
public final class XdrUnsignedInts implements XdrNumbers {
    /** No elements. */
    public static final XdrUnsignedInts EMPTY = new XdrUnsignedInts(new int[0]);

    private final int[] bits;

    /** Takes the array over: it must not escape. */
    XdrUnsignedInts(int[] owned) {
        this.bits = owned;
    }

    /**
     * A copy of these numbers.
     *
     * @throws IllegalArgumentException if one is outside 0 to 2³²-1
     */
    public static XdrUnsignedInts of(long... values) {
        if (values.length == 0) {
            return EMPTY;
        }
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = (int) XdrBounds.unsignedInt(values[i], "an element");
        }
        return new XdrUnsignedInts(bits);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     */
    public static XdrUnsignedInts decode(XdrDecoder in, long max) throws XdrException {
        return decodeFixed(in, in.readCount(max, Integer.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrUnsignedInts decodeFixed(XdrDecoder in, int size) throws XdrException {
        return size == 0 ? EMPTY : new XdrUnsignedInts(in.readWords(size));
    }

    @Override
    public void encodeFixed(XdrEncoder out) {
        out.writeWords(bits);
    }

    @Override
    public int size() {
        return bits.length;
    }

    /**
     * The element at an index.
     *
     * @throws IndexOutOfBoundsException unless 0 ≤ {@code index} < {@link #size()}
     */
    public long get(int index) {
        return Integer.toUnsignedLong(bits[index]);
    }

    /** The elements in their order. */
    public LongStream stream() {
        return Arrays.stream(bits).mapToLong(Integer::toUnsignedLong);
    }

    /** A copy of the elements. */
    public long[] toArray() {
        long[] values = new long[bits.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = get(i);
        }
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrUnsignedInts that && Arrays.equals(bits, that.bits);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bits);
    }

    /** The elements in brackets, as those of a list. */
    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
