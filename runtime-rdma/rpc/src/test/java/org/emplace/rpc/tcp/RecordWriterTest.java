// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;
import java.util.List;
import org.emplace.rpc.tcp.RecordWriter.OutgoingRecord;
import org.junit.jupiter.api.Test;

/** How much of the waiting records an event loop writes in one turn. */
final class RecordWriterTest {
    private static final int LENGTH = 100;

    private final Peer peer = new Peer();
    private final RecordWriter writer = new RecordWriter(peer);
    private int released;

    @Test
    void noFurtherRecordBeginsOnceATurnsBytesAreWritten() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(send()).isTrue();
        }
        peer.reads = true;

        assertThat(writer.flush(2 * (4 + LENGTH) + 1)).isEqualTo(3 * (4 + LENGTH));
        assertThat(writer.isEmpty()).isFalse();
        assertThat(released).isEqualTo(3);
        assertThat(writer.flush(Long.MAX_VALUE)).isEqualTo(2 * (4 + LENGTH));
        assertThat(writer.isEmpty()).isTrue();
        assertThat(released).isEqualTo(5);
    }

    @Test
    void aWriterIsEmptyWhenNothingWaitsAnyMore() throws Exception {
        assertThat(writer.isEmpty()).isTrue();
        assertThat(send()).isTrue();
        writer.withdraw(this);
        assertThat(writer.isEmpty()).isTrue();
        assertThat(send()).isTrue();
        writer.discard();
        assertThat(writer.isEmpty()).isTrue();
    }

    /** The JDK copies a buffer of the heap whole, however little of it the socket accepts. */
    @Test
    void aLongRecordOnTheHeapIsOfferedInParts() throws Exception {
        ByteBuffer onHeap = ByteBuffer.allocate(1_000_000);
        ByteBuffer direct = ByteBuffer.allocateDirect(1_000_000);
        writer.add(new OutgoingRecord(List.of(onHeap, direct, onHeap), this, () -> released++), () -> true);
        peer.reads = true;

        assertThat(writer.flush(Long.MAX_VALUE)).isEqualTo(3_000_004);
        assertThat(peer.mostOnHeap).isBetween(64 * 1024L, 128 * 1024L);
        assertThat(peer.mostDirect).isEqualTo(1_000_000);
        assertThat(released).isEqualTo(1);
    }

    private boolean send() throws IOException {
        writer.add(new OutgoingRecord(List.of(ByteBuffer.allocate(LENGTH)), this, () -> released++), () -> true);
        writer.flush(Long.MAX_VALUE);
        return !writer.isEmpty();
    }

    /** Accepts everything once it reads. */
    private static final class Peer implements GatheringByteChannel {
        private boolean reads;
        private long mostOnHeap;
        private long mostDirect;

        @Override
        public long write(ByteBuffer[] pieces, int offset, int length) {
            mostOnHeap = Math.max(mostOnHeap, offered(pieces, offset, length, false));
            mostDirect = Math.max(mostDirect, offered(pieces, offset, length, true));
            long taken = 0;
            for (int i = offset; i < offset + length && reads; i++) {
                taken += pieces[i].remaining();
                pieces[i].position(pieces[i].limit());
            }
            return taken;
        }

        private static long offered(ByteBuffer[] pieces, int offset, int length, boolean direct) {
            return Arrays.stream(pieces, offset, offset + length)
                    .filter(piece -> piece.isDirect() == direct)
                    .mapToLong(ByteBuffer::remaining)
                    .sum();
        }

        @Override
        public long write(ByteBuffer[] pieces) {
            return write(pieces, 0, pieces.length);
        }

        @Override
        public int write(ByteBuffer piece) {
            return (int) write(new ByteBuffer[] {piece});
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
