// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** An immutable array of XDR {@code double}s. */
public final class XdrDoubles extends XdrNumbers {
    /** The empty array. */
    public static final XdrDoubles EMPTY = of();

    private XdrDoubles(byte[] owned) {
        super(owned, Double.BYTES);
    }

    /** Returns an array with a copy of these numbers. */
    public static XdrDoubles of(double... values) {
        byte[] wire = allocate(values.length, Double.BYTES);
        ByteBuffer.wrap(wire).asDoubleBuffer().put(values);
        return new XdrDoubles(wire);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound in elements, or {@link XdrDecoder#UNBOUNDED}
     */
    public static XdrDoubles decode(XdrDecoder in, long max) throws XdrException {
        return new XdrDoubles(in.readElements(max, Double.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrDoubles decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrDoubles(in.readBytes((long) size * Double.BYTES));
    }

    /**
     * Returns the element at {@code index}.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #size()}
     */
    public double get(int index) {
        return Double.longBitsToDouble(doubleWord(index));
    }

    /** The elements in order. */
    public DoubleStream stream() {
        return IntStream.range(0, size()).mapToDouble(this::get);
    }

    /** Returns a copy of the elements. */
    public double[] toArray() {
        double[] values = new double[size()];
        elements().asDoubleBuffer().get(values);
        return values;
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
