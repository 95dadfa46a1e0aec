// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An immutable array of XDR {@code hyper}s, or of {@code unsigned hyper}s as their 64 bits; see {@link Long#compareUnsigned}. */
public final class XdrLongs extends XdrNumbers {
    /** The empty array. */
    public static final XdrLongs EMPTY = of();

    private XdrLongs(byte[] owned) {
        super(owned, Long.BYTES);
    }

    /** Returns an array with a copy of these numbers. */
    public static XdrLongs of(long... values) {
        byte[] wire = allocate(values.length, Long.BYTES);
        ByteBuffer.wrap(wire).asLongBuffer().put(values);
        return new XdrLongs(wire);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound in elements, or {@link XdrDecoder#UNBOUNDED}
     */
    public static XdrLongs decode(XdrDecoder in, long max) throws XdrException {
        return new XdrLongs(in.readElements(max, Long.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrLongs decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrLongs(in.readBytes((long) size * Long.BYTES));
    }

    /**
     * Returns the element at {@code index}.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #size()}
     */
    public long get(int index) {
        return doubleWord(index);
    }

    /** The elements in order. */
    public LongStream stream() {
        return IntStream.range(0, size()).mapToLong(this::get);
    }

    /** Returns a copy of the elements. */
    public long[] toArray() {
        long[] values = new long[size()];
        elements().asLongBuffer().get(values);
        return values;
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
