// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.emplace.xdr.XdrCodec.Reader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of numbers of each type, short and long. */
class NumbersTest {
    private static final long UNBOUNDED = XdrDecoder.UNBOUNDED;

    /** An array with the reader of its type. */
    private record Sample(XdrNumbers numbers, Reader<? extends XdrNumbers> reader) {}

    private static List<Sample> samples(int size) {
        Random random = new Random(size);
        float[] floats = new float[size];
        for (int i = 0; i < size; i++) {
            floats[i] = random.nextFloat();
        }
        return List.of(
                new Sample(XdrInts.of(random.ints(size).toArray()), in -> XdrInts.decode(in, UNBOUNDED)),
                new Sample(
                        XdrUnsignedInts.of(random.longs(size, 0, 1L << 32).toArray()),
                        in -> XdrUnsignedInts.decode(in, UNBOUNDED)),
                new Sample(XdrLongs.of(random.longs(size).toArray()), in -> XdrLongs.decode(in, UNBOUNDED)),
                new Sample(XdrFloats.of(floats), in -> XdrFloats.decode(in, UNBOUNDED)),
                new Sample(XdrDoubles.of(random.doubles(size).toArray()), in -> XdrDoubles.decode(in, UNBOUNDED)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 1000})
    void writtenNumbersAreReadBack(int size) throws XdrException {
        for (Sample sample : samples(size)) {
            XdrEncoder out = XdrEncoder.onHeap();
            sample.numbers().encode(out);
            out.writeInt(77);
            XdrDecoder in = new XdrDecoder(out.finish().stream());

            assertThat(sample.reader().read(in)).isEqualTo(sample.numbers()).hasSameHashCodeAs(sample.numbers());
            assertThat(in.readInt()).isEqualTo(77);
            in.requireEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100})
    void elementsAreBigEndianAndKeepTheirOrder(int size) {
        long[] values = new long[size];
        values[1] = 0xfedc_ba98L;
        XdrEncoder out = XdrEncoder.onHeap();
        XdrUnsignedInts.of(values).encodeFixed(out);
        ByteBuffer stream = out.finish().stream();

        assertThat(stream.remaining()).isEqualTo(4 * size);
        assertThat(stream.getInt(4)).isEqualTo(0xfedc_ba98);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7fff_ffff, -1, 0x4000_0000, 0x2000_0000, 3})
    void aCountBeyondTheMessageAllocatesNothing(int count) {
        for (Sample sample : samples(0)) {
            ByteBuffer input = ByteBuffer.allocate(12).putInt(0, count);
            assertThatThrownBy(() -> sample.reader().read(new XdrDecoder(input)))
                    .isInstanceOf(XdrException.class)
                    .hasMessageContaining("8 are left");
        }
    }

    @Test
    void aTruncatedFixedArrayIsRejected() {
        assertThatThrownBy(() -> XdrLongs.decodeFixed(new XdrDecoder(ByteBuffer.allocate(12)), 2))
                .isInstanceOf(XdrException.class);
        assertThatThrownBy(() -> XdrInts.decodeFixed(new XdrDecoder(ByteBuffer.allocate(12)), 1 << 30))
                .isInstanceOf(XdrException.class);
    }

    @Test
    void aDeclaredBoundHolds() {
        assertThatThrownBy(() ->
                        XdrInts.decode(new XdrDecoder(ByteBuffer.allocate(12).putInt(0, 2)), 1))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("at most 1");
    }

    @Test
    void arraysAreCopiedInAndOut() {
        int[] values = {1, 2};
        XdrInts ints = XdrInts.of(values);
        values[0] = 9;
        ints.toArray()[1] = 9;

        assertThat(ints).isEqualTo(XdrInts.of(1, 2)).isNotEqualTo(XdrInts.of(9, 2));
        assertThat(ints.get(0)).isEqualTo(1);
        assertThat(ints.stream().sum()).isEqualTo(3);
        assertThat(ints.toArray()).containsExactly(1, 2);
        assertThat(ints).hasToString("[1, 2]");
        assertThatThrownBy(() -> ints.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void unsignedIntsAreLongs() {
        XdrUnsignedInts numbers = XdrUnsignedInts.of(0, 0xffff_ffffL);

        assertThat(numbers.get(1)).isEqualTo(0xffff_ffffL);
        assertThat(numbers.stream().sum()).isEqualTo(0xffff_ffffL);
        assertThat(numbers.toArray()).containsExactly(0, 0xffff_ffffL);
        assertThat(numbers).hasToString("[0, 4294967295]");
        assertThatThrownBy(() -> XdrUnsignedInts.of(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> XdrUnsignedInts.of(1L << 32)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void floatsAreEqualByTheirBits() {
        float otherNan = Float.intBitsToFloat(0x7fc0_0001);

        assertThat(XdrFloats.of(Float.NaN)).isEqualTo(XdrFloats.of(Float.NaN)).isNotEqualTo(XdrFloats.of(otherNan));
        assertThat(XdrFloats.of(0f)).isNotEqualTo(XdrFloats.of(-0f));
        assertThat(XdrFloats.of(1.5f, 2f).stream().sum()).isEqualTo(3.5);
        assertThat(XdrFloats.of(1.5f).toArray()).containsExactly(1.5f);
        assertThat(XdrDoubles.of(1.5, -2).get(1)).isEqualTo(-2);
        assertThat(XdrDoubles.of(1.5, -2).toArray()).containsExactly(1.5, -2);
        assertThat(XdrDoubles.of(1.5, -2)).hasToString("[1.5, -2.0]");
    }
}
