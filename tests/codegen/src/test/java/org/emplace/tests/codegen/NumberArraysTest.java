// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.tests.codegen.constructs.BlockOfNumbers;
import org.emplace.tests.codegen.constructs.Numbers;
import org.emplace.tests.codegen.constructs.PiecesArgs;
import org.emplace.tests.codegen.constructs.SampleArgs;
import org.emplace.tests.codegen.constructs.Samples;
import org.emplace.tests.codegen.constructs.Values1;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrDoubles;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrFloats;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrLongs;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.Test;

/** Arrays of numbers, as values and as DDP-eligible items. */
class NumberArraysTest {
    private static final Numbers NUMBERS = numbers(XdrInts.of(-1, 2), XdrUnsignedInts.of(0, 0xffff_ffffL));
    private static final String HEX = "00000002 ffffffff 00000002" + "00000000 ffffffff" + "00000001 0000000000000003"
            + "ffffffffffffffff" + "00000001 3fc00000" + "c000000000000000" + "00000002 00000001 00000000";

    private static Numbers numbers(XdrInts ints, XdrUnsignedInts words) {
        return new Numbers(
                ints,
                words,
                XdrLongs.of(3),
                XdrLongs.of(-1),
                XdrFloats.of(1.5f),
                XdrDoubles.of(-2),
                List.of(true, false));
    }

    @Test
    void numbersAreCodedOneAfterTheOther() throws XdrException {
        assertThat(Wire.hex(NUMBERS)).isEqualTo(HEX.replace(" ", ""));
        assertThat(Wire.value(HEX, Numbers::decode)).isEqualTo(NUMBERS).hasSameHashCodeAs(NUMBERS);
        assertThat(NUMBERS).asString().contains("ints=[-1, 2], words=[0, 4294967295]");
    }

    @Test
    void boundsHoldInBothDirections() {
        assertThatThrownBy(() -> numbers(XdrInts.of(1, 2, 3, 4), NUMBERS.words()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ints has 4 elements");
        assertThatThrownBy(() -> numbers(XdrInts.EMPTY, XdrUnsignedInts.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("words has 1 elements");
        assertThatThrownBy(() -> Wire.value("00000004" + "00000000".repeat(20), Numbers::decode))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("at most 3");
    }

    @Test
    void anEligibleArrayIsAPayloadCountedInElements() throws IOException {
        Samples samples = new Samples(7, floats(1.5f, -2f));
        String hex = "0000000000000007 00000002 3fc00000 c0000000";

        EncodedMessage message = Wire.encoded(samples);
        assertThat(message.stream().remaining()).isEqualTo(12);
        assertThat(message.marks()).singleElement().isInstanceOf(PayloadMark.class);
        assertThat(Wire.hex(samples)).isEqualTo(hex.replace(" ", ""));

        Payload decoded = Wire.value(hex, Samples::decode).values();
        assertThat(decoded.length()).isEqualTo(8);
        assertThat(decoded.buffer().asFloatBuffer().get(1)).isEqualTo(-2f);
    }

    @Test
    void anEligibleArrayIsTakenFromItsChunk() throws IOException {
        Payload chunk = floats(1.5f, -2f);
        EligibleItems items = new EligibleItems() {
            @Override
            public Payload chunkAt(long position, long length) {
                assertThat(position).isEqualTo(12);
                assertThat(length).isEqualTo(8);
                return chunk;
            }

            @Override
            public Payload inline(ByteBuffer stream, int length) {
                throw new AssertionError("the item stands in a chunk");
            }
        };
        XdrDecoder in = new XdrDecoder(ByteBuffer.allocate(12).putInt(8, 2), items);

        assertThat(Samples.decode(in).values()).isSameAs(chunk);
        assertThat(in.streamPosition()).isEqualTo(20);
    }

    @Test
    void theBoundsOfAnEligibleArrayAreInElements() {
        assertThatThrownBy(() -> new Samples(7, floats(1, 2, 3, 4, 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("values has 5 elements");
        assertThatThrownBy(() -> new Samples(7, Payload.of(ByteBuffer.allocate(6))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values has 6 bytes, which is not a multiple of the element size 4");
        assertThatThrownBy(() -> new BlockOfNumbers(Payload.of(ByteBuffer.allocate(8))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("numbers has 1 elements");
        assertThatThrownBy(() -> Wire.value("0000000000000007 00000005" + "00000000".repeat(5), Samples::decode))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("at most 4");
        assertThatThrownBy(() -> Wire.value("0000000000000007 00000004" + "00000000", Samples::decode))
                .isInstanceOf(XdrException.class);
    }

    @Test
    void sizesOfResultsAreInBytesAndMayComeFromAnArrayOfNumbers() {
        assertThat(Wire.sizes(Values1.SAMPLE, new SampleArgs(16))).containsExactly(16L);
        assertThat(Wire.sizes(Values1.PIECES, new PiecesArgs(XdrUnsignedInts.of(16, 32))))
                .containsExactly(16L, 32L);
    }

    private static Payload floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length);
        bytes.asFloatBuffer().put(values);
        return Payload.of(bytes);
    }
}
