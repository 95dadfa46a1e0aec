// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.stream.IntStream;

/** An immutable array of XDR {@code int}s. Equal where all elements are equal. */
public final class XdrInts implements XdrNumbers {
    /** No elements. */
    public static final XdrInts EMPTY = new XdrInts(new int[0]);

    private final int[] values;

    /** Takes the array over: it must not escape. */
    XdrInts(int[] owned) {
        this.values = owned;
    }

    /** A copy of these numbers. */
    public static XdrInts of(int... values) {
        return values.length == 0 ? EMPTY : new XdrInts(values.clone());
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     */
    public static XdrInts decode(XdrDecoder in, long max) throws XdrException {
        return decodeFixed(in, in.readCount(max, Integer.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrInts decodeFixed(XdrDecoder in, int size) throws XdrException {
        return size == 0 ? EMPTY : new XdrInts(in.readWords(size));
    }

    @Override
    public void encodeFixed(XdrEncoder out) {
        out.writeWords(values);
    }

    @Override
    public int size() {
        return values.length;
    }

    /**
     * The element at an index.
     *
     * @throws IndexOutOfBoundsException unless 0 ≤ {@code index} < {@link #size()}
     */
    public int get(int index) {
        return values[index];
    }

    /** The elements in their order. */
    public IntStream stream() {
        return Arrays.stream(values);
    }

    /** A copy of the elements. */
    public int[] toArray() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrInts that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** The elements in brackets, as those of a list. */
    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
