// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** An immutable array of XDR {@code float}s. Equal where the bits of all elements are equal. */
public final class XdrFloats implements XdrNumbers {
    /** No elements. */
    public static final XdrFloats EMPTY = new XdrFloats(new int[0]);

    private final int[] bits;

    /** Takes the array over: it must not escape. */
    XdrFloats(int[] owned) {
        this.bits = owned;
    }

    /** A copy of these numbers. */
    public static XdrFloats of(float... values) {
        if (values.length == 0) {
            return EMPTY;
        }
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return new XdrFloats(bits);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     */
    public static XdrFloats decode(XdrDecoder in, long max) throws XdrException {
        return decodeFixed(in, in.readCount(max, Integer.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrFloats decodeFixed(XdrDecoder in, int size) throws XdrException {
        return size == 0 ? EMPTY : new XdrFloats(in.readWords(size));
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
    public float get(int index) {
        return Float.intBitsToFloat(bits[index]);
    }

    /** The elements in their order. */
    public DoubleStream stream() {
        return Arrays.stream(bits).mapToDouble(Float::intBitsToFloat);
    }

    /** A copy of the elements. */
    public float[] toArray() {
        float[] values = new float[bits.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = get(i);
        }
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrFloats that && Arrays.equals(bits, that.bits);
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
