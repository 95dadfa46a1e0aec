// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each type's encoding as in RFC 4506 section 4, and its decoding. */
class EncodingTest {

    @Test
    void numbersAreBigEndian() throws XdrException {
        assertThat(hex(out -> out.writeInt(-2))).isEqualTo("fffffffe");
        assertThat(hex(out -> out.writeUnsignedInt(0xffff_fffeL))).isEqualTo("fffffffe");
        assertThat(hex(out -> out.writeHyper(-2))).isEqualTo("fffffffffffffffe");
        assertThat(hex(out -> out.writeFloat(1.5f))).isEqualTo("3fc00000");
        assertThat(hex(out -> out.writeDouble(-2.0))).isEqualTo("c000000000000000");
        assertThat(hex(out -> out.writeQuadruple(new XdrQuadruple(1, 2))))
                .isEqualTo("00000000000000010000000000000002");

        assertThat(decoder("fffffffe").readInt()).isEqualTo(-2);
        assertThat(decoder("fffffffe").readUnsignedInt()).isEqualTo(0xffff_fffeL);
        assertThat(decoder("fffffffffffffffe").readHyper()).isEqualTo(-2);
        assertThat(decoder("fffffffffffffffe").readUnsignedHyper()).isEqualTo(-2);
        assertThat(decoder("3fc00000").readFloat()).isEqualTo(1.5f);
        assertThat(decoder("c000000000000000").readDouble()).isEqualTo(-2.0);
        assertThat(decoder("00000000000000010000000000000002").readQuadruple()).isEqualTo(new XdrQuadruple(1, 2));
    }

    @Test
    void twoNumbersAreWrittenAsOneAfterTheOther() {
        assertThat(hex(out -> out.writeInts(-2, -3))).isEqualTo("fffffffefffffffd");
        assertThat(hex(out -> out.writeUnsignedInts(1, 0xffff_ffffL))).isEqualTo("00000001ffffffff");
        assertThat(hex(out -> out.writeHypers(-2, 1))).isEqualTo("fffffffffffffffe0000000000000001");
        assertThat(hex(out -> out.writeUnsignedHypers(1, -2))).isEqualTo("0000000000000001fffffffffffffffe");
    }

    @Test
    void anUnsignedIntOutOfRangeIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> XdrEncoder.onHeap().writeUnsignedInt(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> XdrEncoder.onHeap().writeUnsignedInt(0x1_0000_0000L));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> XdrEncoder.onHeap().writeUnsignedInts(0, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> XdrEncoder.onHeap().writeUnsignedInts(0x1_0000_0000L, 0));
    }

    @Test
    void opaqueAndStringsArePaddedWithZerosToAMultipleOfFour() throws XdrException {
        assertThat(hex(out -> out.writeString(XdrString.of("sillyprog"))))
                .isEqualTo("0000000973696c6c7970726f67000000");
        assertThat(hex(out -> out.writeFixedOpaque(XdrOpaque.of((byte) 0xab)))).isEqualTo("ab000000");
        assertThat(hex(out -> out.writeOpaque(XdrOpaque.EMPTY))).isEqualTo("00000000");

        assertThat(decoder("0000000973696c6c7970726f67000000").readString(9)).hasToString("sillyprog");
        assertThat(decoder("ab000000").readFixedOpaque(1)).isEqualTo(XdrOpaque.of((byte) 0xab));
        assertThat(decoder("00000000").readOpaque(0)).isEqualTo(XdrOpaque.EMPTY);
    }

    @Test
    void stringsKeepBytesThatAreNotUtf8() throws XdrException {
        XdrString name = XdrString.of(new byte[] {(byte) 0xff, 'a'});

        assertThat(new XdrDecoder(stream(out -> out.writeString(name))).readString(255))
                .isEqualTo(name);
    }

    @Test
    void listsAndOptionsHaveTheirCountsAndFlags() throws XdrException {
        assertThat(hex(out -> out.writeArray(List.of(1, 2), XdrEncoder::writeInt)))
                .isEqualTo("000000020000000100000002");
        assertThat(hex(out -> out.writeFixedArray(List.of(1, 2), XdrEncoder::writeInt)))
                .isEqualTo("0000000100000002");
        assertThat(hex(out -> out.writeOptional(Optional.of(7), XdrEncoder::writeInt)))
                .isEqualTo("0000000100000007");
        assertThat(hex(out -> out.writeOptional(Optional.<Integer>empty(), XdrEncoder::writeInt)))
                .isEqualTo("00000000");
        assertThat(hex(out -> out.writeLinkedList(List.of(5), XdrEncoder::writeInt)))
                .isEqualTo("000000010000000500000000");

        assertThat(decoder("000000020000000100000002").readArray(2, 4, XdrDecoder::readInt))
                .containsExactly(1, 2);
        assertThat(decoder("0000000100000002").readFixedArray(2, XdrDecoder::readInt))
                .containsExactly(1, 2);
        assertThat(decoder("0000000100000007").readOptional(XdrDecoder::readInt))
                .contains(7);
        assertThat(decoder("00000000").readOptional(XdrDecoder::readInt)).isEmpty();
        assertThat(decoder("000000010000000500000000").readLinkedList(XdrDecoder::readInt))
                .containsExactly(5);
    }

    @Test
    void aMillionListEntriesTakeNoStack() throws XdrException {
        List<Integer> many = IntStream.range(0, 1_000_000).boxed().toList();

        ByteBuffer encoded = stream(out -> out.writeLinkedList(many, XdrEncoder::writeInt));

        assertThat(new XdrDecoder(encoded).readLinkedList(XdrDecoder::readInt)).isEqualTo(many);
    }

    @Test
    void aReusedEncoderKeepsNothingOfEarlierMessages() {
        List<String> placed = new ArrayList<>();
        XdrEncoder.Memory memory = (message, length) -> {
            placed.add(HexFormat.of().formatHex(message, 0, length));
            return ByteBuffer.allocate(8 + length).put(8, message, 0, length).position(8);
        };
        XdrEncoder out = new XdrEncoder(memory);
        out.writeString(XdrString.of("abc"));
        EncodedMessage first = out.finish();
        for (int large : new int[] {1_000, 100_000}) {
            out.restart(memory);
            out.writeFixedOpaque(XdrOpaque.of(new byte[large]));
            assertThat(out.finish().streamLength()).isEqualTo(large);
        }
        out.restart(memory);
        out.writeFixedOpaque(XdrOpaque.of((byte) 1));
        EncodedMessage last = out.finish();

        assertThat(placed).startsWith("0000000361626300").endsWith("01000000").hasSize(4);
        assertThat(first.stream()).isEqualTo(ByteBuffer.wrap(HexFormat.of().parseHex("0000000361626300")));
        assertThat(last.stream()).isEqualTo(ByteBuffer.wrap(HexFormat.of().parseHex("01000000")));
    }

    @Test
    void anEncoderMayBeginAnotherMessageWhileTheFinishedOneIsPlaced() {
        Deque<XdrEncoder> idle = new ArrayDeque<>();
        List<String> placed = new ArrayList<>();
        XdrEncoder.Memory last = (message, length) -> {
            placed.add(HexFormat.of().formatHex(message, 0, length));
            return ByteBuffer.wrap(message, 0, length);
        };
        XdrEncoder out = new XdrEncoder((message, length) -> {
            ByteBuffer copy =
                    ByteBuffer.allocate(length).put(message, 0, length).flip();
            XdrEncoder again = idle.remove();
            again.restart(last);
            again.writeInt(7);
            again.finish();
            return copy;
        });
        idle.add(out);
        out.writePayload(Payload.of(ByteBuffer.allocate(3)));
        EncodedMessage first = out.finish();

        assertThat(placed).containsExactly("00000007");
        assertThat(first.stream()).isEqualTo(ByteBuffer.wrap(HexFormat.of().parseHex("00000003")));
        assertThat(first.marks()).hasSize(1);
        assertThat(first.unreducedLength()).isEqualTo(8);
    }

    private static String hex(Consumer<XdrEncoder> writing) {
        ByteBuffer bytes = stream(writing);
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return HexFormat.of().formatHex(array);
    }

    private static ByteBuffer stream(Consumer<XdrEncoder> writing) {
        XdrEncoder out = XdrEncoder.onHeap();
        writing.accept(out);
        return out.finish().stream();
    }

    private static XdrDecoder decoder(String hex) {
        return new XdrDecoder(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
    }
}
