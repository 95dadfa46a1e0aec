// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.contract.Pair;
import org.emplace.rdma.contract.Side;
import org.emplace.rdma.iwarp.framing.FpduWriter;
import org.emplace.rdma.iwarp.framing.Segment.ReadRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The socket calls: their buffers are the registered memory itself, and a small message takes one call at each end. */
final class SocketCallsTest {
    private static final int LENGTH = 1_000_003;
    /** The most bytes of an FPDU besides its payload: header, pad and CRC. */
    private static final int FRAMING = 20 + 3 + 4;

    private final Wiretap wiretap = new Wiretap();

    @AutoClose
    private final Pair pair = Pair.connected(wiretap::open);

    private final MemoryRegion source = pair.initiator.region(LENGTH);
    private final MemoryRegion target = pair.responder.region(LENGTH);

    SocketCallsTest() throws Exception {
        wiretap.clear();
    }

    @Test
    void aWriteGoesFromMemoryToMemory() throws Exception {
        RemoteAccess access = pair.responder.queuePair().expose(target.segment(0, LENGTH), Right.REMOTE_WRITE);
        pair.initiator.post(
                new WorkRequest.Write(1, List.of(source.segment(0, LENGTH)), access.advertised()),
                new WorkRequest.Send(2, List.of(source.segment(0, 0)), OptionalInt.empty()));
        assertThat(pair.responder.handler.next().operation()).isEqualTo(Operation.RECEIVE);
        assertThat(pair.initiator.handler.next().operation()).isEqualTo(Operation.WRITE);
        assertMoved(source, target, LENGTH);
    }

    @Test
    void aReadGoesFromMemoryToMemory() throws Exception {
        RemoteAccess access = pair.responder.queuePair().expose(target.segment(0, LENGTH), Right.REMOTE_READ);
        pair.initiator.post(new WorkRequest.Read(1, source.segment(0, LENGTH), access.advertised()));
        assertThat(pair.initiator.handler.next().operation()).isEqualTo(Operation.READ);
        assertMoved(target, source, LENGTH);
    }

    @Test
    void aSendGoesFromMemoryToItsReceive() throws Exception {
        int length = Side.RECEIVE_SIZE;
        pair.initiator.post(new WorkRequest.Send(2, List.of(source.segment(0, length)), OptionalInt.empty()));
        assertThat(pair.responder.handler.next().operation()).isEqualTo(Operation.RECEIVE);
        assertThat(pair.initiator.handler.next().operation()).isEqualTo(Operation.SEND);
        assertMoved(source, pair.responder.receives, length);
    }

    @Test
    void anIsolatedSendTakesOneReadAndOneWrite() throws Exception {
        int rounds = Side.RECEIVES - 1;
        exchange();
        int reads = wiretap.reads();
        int writes = wiretap.writes();
        for (int round = 0; round < rounds; round++) {
            exchange();
        }
        assertThat(wiretap.reads() - reads).isEqualTo(2 * rounds);
        assertThat(wiretap.writes() - writes).isEqualTo(2 * rounds);
    }

    private void exchange() throws Exception {
        send(pair.initiator, source, pair.responder);
        send(pair.responder, target, pair.initiator);
    }

    private static void send(Side from, MemoryRegion bytes, Side to) throws Exception {
        from.post(new WorkRequest.Send(1, List.of(bytes.segment(0, 100)), OptionalInt.empty()));
        assertThat(from.handler.next().operation()).isEqualTo(Operation.SEND);
        assertThat(to.handler.next().operation()).isEqualTo(Operation.RECEIVE);
    }

    /**
     * Asserts that every byte was written from a view of {@code from} and read into a view of {@code to}: the recorded views show the value with
     * which each region is filled afterward. All other buffers together hold no more than the framing.
     */
    private void assertMoved(MemoryRegion from, MemoryRegion to, int length) {
        int fpdus = length / FpduWriter.PAYLOAD_LIMIT + 1 + 2;
        fill(from, (byte) 0x5a);
        fill(to, (byte) 0x3c);
        assertThat(wiretap.writtenFrom((byte) 0x5a)).isEqualTo(length);
        assertThat(wiretap.filledInto((byte) 0x3c)).isEqualTo(length);
        assertThat(wiretap.written() - length).isBetween(1L, (long) fpdus * FRAMING + ReadRequest.LENGTH);
        assertThat(wiretap.filled() - length).isBetween(1L, (long) fpdus * FRAMING + ReadRequest.LENGTH);
    }

    private static void fill(MemoryRegion region, byte value) {
        ByteBuffer bytes = region.buffer();
        while (bytes.hasRemaining()) {
            bytes.put(value);
        }
    }
}
