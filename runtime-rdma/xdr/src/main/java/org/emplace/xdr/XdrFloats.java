// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** An immutable array of XDR {@code float}s. */
public final class XdrFloats extends XdrNumbers {
    /** No elements. */
    public static final XdrFloats EMPTY = of();

    private XdrFloats(byte[] owned) {
        super(owned, Float.BYTES);
    }

    /** A copy of these numbers. */
    public static XdrFloats of(float... values) {
        byte[] wire = room(values.length, Float.BYTES);
        ByteBuffer.wrap(wire).asFloatBuffer().put(values);
        return new XdrFloats(wire);
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     */
    public static XdrFloats decode(XdrDecoder in, long max) throws XdrException {
        return new XdrFloats(in.readElements(max, Float.BYTES));
    }

    /** Reads a fixed-length array. */
    public static XdrFloats decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrFloats(in.readBytes((long) size * Float.BYTES));
    }

    /**
     * The element at an index.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #size()}
     */
    public float get(int index) {
        return Float.intBitsToFloat(word(index));
    }

    /** The elements in their order. */
    public DoubleStream stream() {
        return IntStream.range(0, size()).mapToDouble(this::get);
    }

    /** A copy of the elements. */
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
