// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * An immutable array of XDR {@code hyper}s, or of {@code unsigned hyper}s as their 64 bits; see {@link Long#compareUnsigned}. Equal where all elements are equal.
 */
public final class XdrLongs implements XdrNumbers {
    /** No elements. */
    public static final XdrLongs EMPTY = new XdrLongs(new long[0]);

    private final long[] values;

    /** Takes the array over: it must not escape. */
    XdrLongs(long[] owned) {
        this.values = owned;
    }

    /** A copy of these numbers. */
    public static XdrLongs of(long... values) {
        return values.length == 0 ? EMPTY : new XdrLongs(values.clone());
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     */
    public static XdrLongs decode(XdrDecoder in, long max) throws XdrException {
        return decodeFixed(in, in.readCount(max, Long.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrLongs decodeFixed(XdrDecoder in, int size) throws XdrException {
        return size == 0 ? EMPTY : new XdrLongs(in.readDoubleWords(size));
    }

    @Override
    public void encodeFixed(XdrEncoder out) {
        out.writeDoubleWords(values);
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
    public long get(int index) {
        return values[index];
    }

    /** The elements in their order. */
    public LongStream stream() {
        return Arrays.stream(values);
    }

    /** A copy of the elements. */
    public long[] toArray() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrLongs that && Arrays.equals(values, that.values);
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
