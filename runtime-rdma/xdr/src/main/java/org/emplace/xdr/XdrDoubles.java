// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** An immutable array of XDR {@code double}s. Equal where the bits of all elements are equal. */
public final class XdrDoubles implements XdrNumbers {
    /** No elements. */
    public static final XdrDoubles EMPTY = new XdrDoubles(new long[0]);

    private final long[] bits;

    /** Takes the array over: it must not escape. */
    XdrDoubles(long[] owned) {
        this.bits = owned;
    }

    /** A copy of these numbers. */
    public static XdrDoubles of(double... values) {
        if (values.length == 0) {
            return EMPTY;
        }
        long[] bits = new long[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Double.doubleToRawLongBits(values[i]);
        }
        return new XdrDoubles(bits);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     */
    public static XdrDoubles decode(XdrDecoder in, long max) throws XdrException {
        return decodeFixed(in, in.readCount(max, Long.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrDoubles decodeFixed(XdrDecoder in, int size) throws XdrException {
        return size == 0 ? EMPTY : new XdrDoubles(in.readDoubleWords(size));
    }

    @Override
    public void encodeFixed(XdrEncoder out) {
        out.writeDoubleWords(bits);
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
    public double get(int index) {
        return Double.longBitsToDouble(bits[index]);
    }

    /** The elements in their order. */
    public DoubleStream stream() {
        return Arrays.stream(bits).mapToDouble(Double::longBitsToDouble);
    }

    /** A copy of the elements. */
    public double[] toArray() {
        double[] values = new double[bits.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = get(i);
        }
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrDoubles that && Arrays.equals(bits, that.bits);
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
