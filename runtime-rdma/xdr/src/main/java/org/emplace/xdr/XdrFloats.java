// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** An immutable array of XDR {@code float}s. */
public final class XdrFloats extends XdrNumbers {
    /** The empty array. */
    public static final XdrFloats EMPTY = of();

    private XdrFloats(byte[] owned) {
        super(owned, Float.BYTES);
    }

    /** Returns an array with a copy of these numbers. */
    public static XdrFloats of(float... values) {
        byte[] wire = allocate(values.length, Float.BYTES);
        ByteBuffer.wrap(wire).asFloatBuffer().put(values);
        return new XdrFloats(wire);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound in elements, or {@link XdrDecoder#UNBOUNDED}
     */
    public static XdrFloats decode(XdrDecoder in, long max) throws XdrException {
        return new XdrFloats(in.readElements(max, Float.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrFloats decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrFloats(in.readBytes((long) size * Float.BYTES));
    }

    /**
     * Returns the element at {@code index}.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #size()}
     */
    public float get(int index) {
        return Float.intBitsToFloat(word(index));
    }

    /** The elements in order. */
    public DoubleStream stream() {
        return IntStream.range(0, size()).mapToDouble(this::get);
    }

    /** Returns a copy of the elements. */
    public float[] toArray() {
        float[] values = new float[size()];
        elements().asFloatBuffer().get(values);
        return values;
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
