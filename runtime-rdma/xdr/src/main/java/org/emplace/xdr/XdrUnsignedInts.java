// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An immutable array of XDR {@code unsigned int}s. */
public final class XdrUnsignedInts extends XdrNumbers {
    /** The empty array. */
    public static final XdrUnsignedInts EMPTY = of();

    private XdrUnsignedInts(byte[] owned) {
        super(owned, Integer.BYTES);
    }

    /**
     * Returns an array with a copy of these numbers.
     *
     * @throws IllegalArgumentException if a number is outside 0 to 2³²-1
     */
    public static XdrUnsignedInts of(long... values) {
        byte[] wire = allocate(values.length, Integer.BYTES);
        ByteBuffer elements = ByteBuffer.wrap(wire);
        for (long value : values) {
            elements.putInt((int) XdrBounds.unsignedInt(value, "an element"));
        }
        return new XdrUnsignedInts(wire);
    }

    /** Returns an array of these numbers, given as their bits. */
    static XdrUnsignedInts ofBits(int... words) {
        byte[] wire = allocate(words.length, Integer.BYTES);
        ByteBuffer.wrap(wire).asIntBuffer().put(words);
        return new XdrUnsignedInts(wire);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound in elements, or {@link XdrDecoder#UNBOUNDED}
     */
    public static XdrUnsignedInts decode(XdrDecoder in, long max) throws XdrException {
        return new XdrUnsignedInts(in.readElements(max, Integer.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrUnsignedInts decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrUnsignedInts(in.readBytes((long) size * Integer.BYTES));
    }

    /**
     * Returns the element at {@code index}.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #size()}
     */
    public long get(int index) {
        return Integer.toUnsignedLong(word(index));
    }

    /** The elements in order. */
    public LongStream stream() {
        return IntStream.range(0, size()).mapToLong(this::get);
    }

    /** Returns a copy of the elements. */
    public long[] toArray() {
        return stream().toArray();
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
