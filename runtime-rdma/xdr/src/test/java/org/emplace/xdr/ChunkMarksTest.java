// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.RangeMark;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which items an encoder marks for a transport, and how a decoder gets them back from chunks. */
class ChunkMarksTest {

    @Test
    void aPayloadStaysOutOfTheStreamAndIsGatheredWithItsPad() throws IOException {
        EncodedMessage message = twoPayloads();

        assertThat(message.stream().remaining()).isEqualTo(4 + 4 + 4 + 4 + 4);
        assertThat(message.unreducedLength()).isEqualTo(20 + 8 + 4);
        assertThat(gather(message))
                .isEqualTo(bytes(
                        7, 0, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 3, 9, 9, 9, 0, 0, 0, 0,
                        6));
    }

    @Test
    void positionsCountEarlierPayloadsWithTheirPads() {
        EncodedMessage message = twoPayloads();

        assertThat(message.marks()).hasSize(2);
        assertThat(message.positionOf(message.marks().get(0))).isEqualTo(8);
        assertThat(message.positionOf(message.marks().get(1))).isEqualTo(8 + 8 + 8);
    }

    @Test
    void thePayloadsAndTheirPaddingAreInTheUnreducedMessageButNotInTheStream() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.writePayload(payload(1, 2, 3, 4, 5));

        EncodedMessage message = out.finish();

        assertThat(message.streamLength()).isEqualTo(4);
        assertThat(message.unreducedLength()).isEqualTo(12);
    }

    @Test
    void eligibilityIsTakenWhenAnItemIsWritten() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.eligible(false).writePayload(payload(1));
        out.eligible(true).writePayload(payload(2));

        assertThat(out.finish().marks()).extracting(ChunkMark::eligible).containsExactly(false, true);
    }

    @Test
    void anItemOtherThanOpaqueIsMarkedInTheStreamAndContainsItsPayloads() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.writeInt(2);
        out.beginItem();
        out.writeInt(10);
        out.writePayload(payload(1, 2));
        out.endItem();

        EncodedMessage message = out.finish();

        assertThat(message.marks()).containsExactly(new RangeMark(4, 12, true));
        assertThat(message.stream()).isEqualTo(bytes(0, 0, 0, 2, 0, 0, 0, 10, 0, 0, 0, 2, 1, 2, 0, 0));
    }

    @Test
    void aCopyOutlivesItsPayloadsAndCanBeWrittenAgain() throws IOException {
        ByteBuffer mutable = ByteBuffer.allocate(3);
        XdrEncoder out = XdrEncoder.onHeap();
        out.writeItem(7, XdrEncoder::writeInt);
        int start = out.streamLength();
        out.eligible(false).writePayload(Payload.of(mutable));
        out.eligible(true).writeItem(5, XdrEncoder::writeInt);
        assertThat(out.unreducedLength(start)).isEqualTo(12);
        EncodedMessage copy = out.copy(start);
        out.finish();
        mutable.put(0, (byte) 1);
        XdrEncoder again = XdrEncoder.onHeap();

        again.writeInt(9);
        again.writeMessage(copy);
        EncodedMessage message = again.finish();

        assertThat(message.unreducedLength()).isEqualTo(16);
        assertThat(gather(message)).isEqualTo(bytes(0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 5));
        assertThat(message.marks()).extracting(ChunkMark::eligible).containsExactly(false, true);
        assertThat(message.marks()).extracting(message::positionOf).containsExactly(8L, 12L);
    }

    @Test
    void itemsDoNotNest() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.beginItem();

        assertThatIllegalStateException().isThrownBy(out::beginItem);
        assertThatIllegalStateException().isThrownBy(out::finish);
    }

    @Test
    void aDecoderAsksForEveryEligibleItemAtItsUnreducedPosition() throws XdrException {
        RecordedChunks chunks = new RecordedChunks(Map.of(8L, payload(1, 2, 3, 4, 5), 24L, payload(9, 9, 9)));
        XdrDecoder in = new XdrDecoder(twoPayloads().stream(), chunks);

        in.readInt();
        Payload first = in.readPayload(100);
        in.readInt();
        Payload second = in.readPayload(100);

        assertThat(first.length()).isEqualTo(5);
        assertThat(second.length()).isEqualTo(3);
        assertThat(in.streamPosition()).isEqualTo(28);
        assertThat(in.readInt()).isEqualTo(6);
        in.requireEnd();
        assertThat(chunks.asked).containsExactly(8L, 24L);
    }

    @Test
    void aChunkWhoseLengthDiffersFromItsItemIsRejected() {
        XdrDecoder in = new XdrDecoder(bytes(0, 0, 0, 5), new RecordedChunks(Map.of(4L, payload(1, 2, 3, 4))));

        assertThatExceptionOfType(XdrException.class).isThrownBy(() -> in.readPayload(100));
    }

    @Test
    void anItemFromAChunkIsDecodedFromIt() throws XdrException {
        RecordedChunks chunks = new RecordedChunks(Map.of(4L, payload(0, 0, 0, 1, 0, 0, 0, 2)));
        XdrDecoder in = new XdrDecoder(bytes(0, 0, 0, 2, 0, 0, 0, 99), chunks);

        int count = in.readInt();
        List<Integer> values = in.readItem(item -> item.readFixedArray(count, XdrDecoder::readInt));

        assertThat(values).containsExactly(1, 2);
        assertThat(in.streamPosition()).isEqualTo(12);
        assertThat(in.readInt()).isEqualTo(99);
    }

    @Test
    void anItemMustFillItsChunk() {
        XdrDecoder in = new XdrDecoder(bytes(), new RecordedChunks(Map.of(0L, payload(0, 0, 0, 1, 0, 0, 0, 2))));

        assertThatExceptionOfType(XdrException.class).isThrownBy(() -> in.readItem(XdrDecoder::readInt));
    }

    @Test
    void anItemInTheStreamIsReadThereAndAskedForOnce() throws XdrException {
        RecordedChunks chunks = new RecordedChunks(Map.of());
        XdrDecoder in = new XdrDecoder(bytes(0, 0, 0, 1, 7, 0, 0, 0), chunks);

        Payload inside = in.readItem(item -> item.readPayload(10));

        assertThat(inside.length()).isEqualTo(1);
        assertThat(chunks.asked).containsExactly(0L);
    }

    @Test
    void itemsThatAreNotEligibleAreCopiedWithoutAskingForChunks() throws IOException {
        RecordedChunks chunks = new RecordedChunks(Map.of());
        ByteBuffer message = bytes(0, 0, 0, 1, 7, 0, 0, 0);
        Payload copied = new XdrDecoder(message, chunks).eligible(false).readPayload(10);
        message.put(4, (byte) 8);

        assertThat(copied.buffer().get(0)).isEqualTo((byte) 7);
        assertThat(chunks.asked).isEmpty();
    }

    /** An int, five bytes, an int, three bytes, an int. */
    private static EncodedMessage twoPayloads() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.writeInt(0x0700_0000);
        out.writePayload(payload(1, 2, 3, 4, 5));
        out.writeInt(8);
        out.writePayload(payload(9, 9, 9));
        out.writeInt(6);
        return out.finish();
    }

    private static ByteBuffer gather(EncodedMessage message) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate((int) message.unreducedLength());
        for (ByteBuffer piece : message.unreduced()) {
            whole.put(piece);
        }
        return whole.flip();
    }

    private static Payload payload(int... values) {
        return Payload.of(bytes(values));
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    /** Chunks by position; records what is asked for. */
    private static final class RecordedChunks implements EligibleItems {
        private final Map<Long, Payload> chunks;
        private final List<Long> asked = new ArrayList<>();

        RecordedChunks(Map<Long, Payload> chunks) {
            this.chunks = chunks;
        }

        @Override
        public @Nullable Payload chunkAt(long position, long length) {
            asked.add(position);
            return chunks.get(position);
        }

        @Override
        public Payload inline(ByteBuffer stream, int length) {
            return Payload.of(stream.slice(stream.position(), length));
        }
    }
}
