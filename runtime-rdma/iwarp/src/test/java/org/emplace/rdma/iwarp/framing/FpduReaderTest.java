// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.emplace.rdma.iwarp.framing.FpduReader.Progress;
import org.emplace.rdma.iwarp.framing.FpduWriter.Message;
import org.emplace.rdma.iwarp.framing.Segment.Opcode;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.provider.RdmaCounters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each payload arrives complete and in order, however TCP splits the stream and wherever a segment waits for its destination. */
final class FpduReaderTest {
    /** Payload lengths: empty, with each pad, near the length that is read ahead, and of several segments. */
    private static final int[] LENGTHS = {0, 1, 2, 3, 4, 100, 4095, 4096, 4097, 4100, 150_000, 5, 100, 0, 0, 7, 4096};

    /** The bytes after which a read ends. */
    private static final int MOST = 40_000;

    private final byte[] stream = stream();
    private final Queue<Piece> placed = new ArrayDeque<>();
    private final List<ByteBuffer> payloads = new ArrayList<>();
    private int arrived;

    @ParameterizedTest(
            name = "{0} bytes a read, every {1}th segment waits, turns of {2} segments, tagged expected: {3}, CRC: {4}")
    @CsvSource({
        "1, 1, 0, false, true",
        "3, 2, 1, false, true",
        "15, 0, 3, true, true",
        "19, 3, 0, false, true",
        "21, 2, 2, true, false",
        "4119, 2, 1, false, true",
        "4120, 1, 0, false, false",
        "5000, 3, 2, false, true",
        "16383, 2, 1, false, true",
        "16384, 1, 4, false, true",
        "1000000, 1, 0, false, true",
        "1000000, 0, 1, false, true",
        "1000000, 2, 3, true, true",
        "1000000, 0, 0, false, false"
    })
    void payloadsArrive(int bytesAtOnce, int waits, int turns, boolean tagged, boolean crc) throws Exception {
        ByteBuffer scratch = ByteBuffer.allocateDirect(32 * 1024);
        Waiting sink = new Waiting(waits, turns, tagged);
        FpduReader reader = new FpduReader(new Arriving(bytesAtOnce), crc, scratch::clear, sink);

        Progress progress = Progress.MORE;
        while (progress != Progress.END) {
            int before = arrived;
            sink.placedInTurn = 0;
            progress = reader.read(MOST);
            assertThat(reader.bytesRead()).isEqualTo(arrived - before).isLessThan(MOST + 64 * 1024 + 16 * 1024);
            assertThat(turns > 0 && sink.placedInTurn == turns).isEqualTo(progress == Progress.TURN_OVER);
            scribble(scratch.clear());
            if (progress == Progress.HELD) {
                assertThat(reader.isAtBoundary()).isFalse();
                assertThat(reader.lastHead()).hasSize(Segment.UNTAGGED_HEAD);
            }
        }

        assertThat(reader.isAtBoundary()).isTrue();
        assertThat(arrived).isEqualTo(stream.length);
        int next = 0;
        for (int sequence = 0; sequence < LENGTHS.length; sequence++) {
            int length = 0;
            Piece segment;
            do {
                segment = placed.remove();
                assertThat(segment.sequence()).isEqualTo(sequence);
                assertThat(segment.offset()).isEqualTo(length);
                assertThat(payloads.get(next++)).isEqualTo(payload(sequence).slice(length, segment.length()));
                length += segment.length();
            } while (!segment.last());
            assertThat(length).isEqualTo(LENGTHS[sequence]);
        }
        assertThat(placed).isEmpty();
    }

    /** Overwrites the borrowed memory after each read. */
    private static void scribble(ByteBuffer scratch) {
        for (int i = 0; i < scratch.capacity(); i++) {
            scratch.put(i, (byte) 0x5a);
        }
    }

    private static ByteBuffer payload(int sequence) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTHS[sequence]);
        for (int i = 0; i < bytes.limit(); i++) {
            bytes.put(i, (byte) (31 * sequence + i + i / 251));
        }
        return bytes;
    }

    private static byte[] stream() {
        Written written = new Written();
        try {
            FpduWriter writer = new FpduWriter(written, true, new FpduWriter.Batches(), new Messages());
            while (!writer.write(Integer.MAX_VALUE)) {
                // one call of write is bounded
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        byte[] bytes = new byte[written.bytes.flip().limit()];
        written.bytes.get(bytes);
        return bytes;
    }

    /** The values of a segment, which is valid only during the call. */
    private record Piece(int sequence, long offset, int length, boolean last) {}

    /** A Send for each payload, half of them in two pieces. */
    private static final class Messages implements FpduWriter.Source {
        private int next;

        @Override
        public boolean hasNext() {
            return next < LENGTHS.length;
        }

        @Override
        public boolean next(Message message) {
            if (next == LENGTHS.length) {
                return false;
            }
            Region payload = new Region(payload(next), new RdmaCounters("test"));
            int first = next % 2 * payload.length() / 2;
            message.untagged(
                    Opcode.SEND,
                    0,
                    next,
                    List.of(payload.segment(0, first), payload.segment(first, payload.length() - first)));
            next++;
            return true;
        }

        @Override
        public void written(Opcode opcode) {
            assertThat(opcode).isEqualTo(Opcode.SEND);
        }
    }

    /** Records the bytes written. */
    private static final class Written implements Wire {
        final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);

        @Override
        public long read(ByteBuffer[] targets, int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int count) {
            int before = bytes.position();
            for (int i = 0; i < count; i++) {
                bytes.put(sources[offset + i]);
            }
            return (long) bytes.position() - before;
        }
    }

    /** Delivers the stream in reads of a limited size. */
    private final class Arriving implements Wire {
        private final int bytesAtOnce;

        Arriving(int bytesAtOnce) {
            this.bytesAtOnce = bytesAtOnce;
        }

        @Override
        public long read(ByteBuffer[] targets, int count) {
            if (arrived == stream.length) {
                return -1;
            }
            int before = arrived;
            for (int i = 0; i < count; i++) {
                int most = Math.min(bytesAtOnce - (arrived - before), stream.length - arrived);
                int taken = Math.min(targets[i].remaining(), most);
                targets[i].put(stream, arrived, taken);
                arrived += taken;
            }
            return (long) arrived - before;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int count) {
            throw new UnsupportedOperationException();
        }
    }

    /** Has a destination for every segment, for some only when asked again. */
    private final class Waiting implements FpduReader.Sink {
        private final int waits;
        private final int turns;
        private final boolean tagged;
        private boolean waited;
        private int placements;
        private int placedInTurn;

        Waiting(int waits, int turns, boolean tagged) {
            this.waits = waits;
            this.turns = turns;
            this.tagged = tagged;
        }

        @Override
        public @Nullable ByteBuffer place(Segment segment) {
            if (!waited && waits > 0 && ++placements % waits == 0) {
                waited = true;
                return null;
            }
            waited = false;
            placed.add(new Piece(segment.sequence(), segment.offset(), segment.length(), segment.last()));
            ByteBuffer place = ByteBuffer.allocateDirect(segment.length());
            payloads.add(place.duplicate());
            return place;
        }

        @Override
        public void placed(Segment segment) {
            assertThat(payloads).hasSameSizeAs(placed);
            placedInTurn++;
        }

        @Override
        public boolean isTurnOver() {
            return placedInTurn == turns && turns > 0;
        }

        @Override
        public boolean expectsTagged() {
            return tagged;
        }
    }
}
