// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RDMA Writes and Reads that succeed. */
@ParameterizedClass
@MethodSource("org.emplace.rdma.contract.ProviderUnderTest#variants")
final class TransfersTest {
    @AutoClose
    private final Pair pair;

    TransfersTest(ProviderUnderTest.Variant variant) throws Exception {
        pair = Pair.connected(variant);
    }

    private static IntStream lengthsOfWrites() {
        IntStream lengths = IntStream.of(1, 5, 4096, 65_537, 3_000_003);
        // Devices register no empty buffer.
        return ProviderUnderTest.CHOSEN.name().equals("iwarp") ? IntStream.concat(IntStream.of(0), lengths) : lengths;
    }

    @ParameterizedTest
    @MethodSource("lengthsOfWrites")
    void aWriteIsPlacedBeforeTheSendAfterIt(int length) throws Exception {
        MemoryRegion source = pair.initiator.noise(length);
        MemoryRegion target = pair.responder.region(length + 2);
        RemoteAccess access = pair.responder.queuePair().expose(target.segment(1, length), Right.REMOTE_WRITE);
        WorkRequest write = new WorkRequest.Write(
                1,
                List.of(source.segment(0, length / 3), source.segment(length / 3, length - length / 3)),
                access.advertised());
        pair.initiator.post(write, Side.send(2, source, 0));

        assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 0));
        assertThat(target.buffer().slice(1, length)).isEqualTo(source.buffer());
        assertThat(target.buffer().get(0)).isZero();
        assertThat(target.buffer().get(length + 1)).isZero();
        assertThat(pair.initiator.handler.next()).isEqualTo(Completion.success(1, Operation.WRITE, length));
        assertThat(pair.initiator.handler.next()).isEqualTo(Completion.success(2, Operation.SEND, 0));
    }

    @Test
    void aTransferMayBeShorterThanItsMemory() throws Exception {
        MemoryRegion source = pair.initiator.noise(10);
        MemoryRegion target = pair.responder.region(100);
        RemoteSegment writable =
                pair.responder.expose(target, Right.REMOTE_WRITE).advertised();
        pair.initiator.post(new WorkRequest.Write(1, List.of(source.segment(0, 10)), part(writable, 90, 10)));
        assertThat(pair.initiator.handler.next()).isEqualTo(Completion.success(1, Operation.WRITE, 10));
        pair.greet();
        assertThat(target.buffer().slice(90, 10)).isEqualTo(source.buffer());
        assertThat(target.buffer().limit(90)).isEqualTo(ByteBuffer.allocate(90));
    }

    @Test
    void emptyTransfersSucceed() throws Exception {
        MemoryRegion region = pair.responder.region(10);
        RemoteSegment writable =
                pair.responder.expose(region, Right.REMOTE_WRITE).advertised();
        RemoteSegment readable =
                pair.responder.expose(region, Right.REMOTE_READ).advertised();
        MemoryRegion local = pair.initiator.region(10);
        pair.initiator.post(new WorkRequest.Write(1, List.of(), part(writable, 0, 0)));
        assertThat(pair.initiator.handler.next()).isEqualTo(Completion.success(1, Operation.WRITE, 0));
        pair.initiator.post(new WorkRequest.Read(2, local.segment(5, 0), part(readable, 10, 0)));
        assertThat(pair.initiator.handler.next()).isEqualTo(Completion.success(2, Operation.READ, 0));
    }

    @Test
    void readsFillTheirSinksHoweverManyArePosted() throws Exception {
        int reads = 3 * Side.READS;
        int length = 250_001;
        MemoryRegion source = pair.initiator.noise(reads * length);
        MemoryRegion sink = pair.responder.region(reads * length + 2);
        RemoteSegment readable =
                pair.initiator.expose(source, Right.REMOTE_READ).advertised();
        pair.greet();
        pair.responder
                .queuePair()
                .post(IntStream.range(0, reads)
                        .<WorkRequest>mapToObj(i -> new WorkRequest.Read(
                                i, sink.segment(1 + i * length, length), part(readable, i * length, length)))
                        .toList());
        for (int i = 0; i < reads; i++) {
            assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(i, Operation.READ, length));
        }
        assertThat(sink.buffer().slice(1, reads * length)).isEqualTo(source.buffer());
        assertThat(sink.buffer().get(0)).isZero();
        assertThat(sink.buffer().get(reads * length + 1)).isZero();
    }

    @Test
    void moreWorkThanAnyQueueHoldsIsDoneInOrder() throws Exception {
        int writes = 20_000;
        MemoryRegion source = pair.initiator.noise(8);
        MemoryRegion target = pair.responder.region(8);
        RemoteSegment writable =
                pair.responder.expose(target, Right.REMOTE_WRITE).advertised();
        pair.initiator
                .queuePair()
                .post(IntStream.range(0, writes)
                        .<WorkRequest>mapToObj(i -> new WorkRequest.Write(i, List.of(source.segment(0, 8)), writable))
                        .toList());
        assertThat(pair.initiator.handler.next(writes))
                .extracting(Completion::id)
                .isEqualTo(IntStream.range(0, writes).boxed().toList());
    }

    @Test
    void bothSidesWriteAndReadAtOnce() throws Exception {
        int rounds = 200;
        Exchange one = new Exchange(pair.initiator, 1);
        Exchange other = new Exchange(pair.responder, 2);
        pair.greet();
        for (int i = 0; i < rounds; i++) {
            one.post(i, other);
            other.post(i, one);
        }
        for (Exchange exchange : List.of(one, other)) {
            List<Integer> writes = new ArrayList<>();
            List<Integer> reads = new ArrayList<>();
            for (Completion completion : exchange.side.handler.next(2 * rounds)) {
                assertThat(completion.status()).isEqualTo(Status.SUCCESS);
                (completion.operation() == Operation.WRITE ? writes : reads).add(completion.id());
            }
            assertThat(writes).hasSize(rounds).isSorted();
            assertThat(reads).hasSize(rounds).isSorted();
        }
        pair.greet();
        assertThat(one.readSink.buffer()).isEqualTo(other.source.buffer());
        assertThat(other.readSink.buffer()).isEqualTo(one.source.buffer());
        assertThat(one.writeTarget.buffer()).isEqualTo(other.source.buffer());
        assertThat(other.writeTarget.buffer()).isEqualTo(one.source.buffer());
    }

    @Test
    void readOnlyMemoryCanBeASource() throws Exception {
        MemoryRegion noise = pair.initiator.noise(5000);
        MemoryRegion source = pair.initiator.provider.register(noise.buffer().asReadOnlyBuffer());
        MemoryRegion target = pair.responder.region(5000);
        MemoryRegion sink = pair.responder.region(5000);
        RemoteSegment writable =
                pair.responder.expose(target, Right.REMOTE_WRITE).advertised();
        RemoteSegment readable = pair.initiator
                .queuePair()
                .expose(source.segment(0, 5000), Right.REMOTE_READ)
                .advertised();
        pair.initiator.post(new WorkRequest.Write(1, List.of(source.segment(0, 5000)), writable), Side.send(2, source));
        assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 5000));
        pair.responder.post(new WorkRequest.Read(3, sink.segment(0, 5000), readable));
        assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(3, Operation.READ, 5000));
        assertThat(target.buffer()).isEqualTo(noise.buffer());
        assertThat(pair.responder.received(0, 5000)).isEqualTo(noise.buffer());
        assertThat(sink.buffer()).isEqualTo(noise.buffer());
    }

    @Test
    void readOnlyMemoryIsRejectedAsASink() throws Exception {
        MemoryRegion source =
                pair.initiator.provider.register(ByteBuffer.allocateDirect(16).asReadOnlyBuffer());
        RemoteSegment anything = new RemoteSegment(1, 0, 16);
        assertThatThrownBy(() -> pair.initiator.post(new WorkRequest.Read(1, source.segment(0, 16), anything)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> pair.initiator.queuePair().postReceive(new ReceiveRequest(1, source.segment(0, 16))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> pair.initiator.queuePair().expose(source.segment(0, 16), Right.REMOTE_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        pair.greet();
    }

    @Test
    void heapMemoryCannotBeRegistered() {
        assertThatThrownBy(() -> pair.initiator.provider.register(ByteBuffer.allocate(16)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("direct");
    }

    /** One side's memory in an exchange of Writes and Reads, whose offsets and lengths depend on a seed. */
    private static final class Exchange {
        private static final int LENGTH = 400_000;

        private final Side side;
        private final MemoryRegion source;
        private final MemoryRegion readSink;
        private final MemoryRegion writeTarget;
        private final RemoteSegment readable;
        private final RemoteSegment writable;
        private final Random random = new Random(7);

        Exchange(Side side, long seed) throws Exception {
            this.side = side;
            source = side.noise(LENGTH, seed);
            readSink = side.region(LENGTH);
            writeTarget = side.region(LENGTH);
            readable = side.queuePair()
                    .expose(source.segment(0, LENGTH), Right.REMOTE_READ)
                    .advertised();
            writable = side.queuePair()
                    .expose(writeTarget.segment(0, LENGTH), Right.REMOTE_WRITE)
                    .advertised();
        }

        /** The first round moves all bytes, later ones parts of them again. */
        void post(int round, Exchange peer) throws Exception {
            int offset = round == 0 ? 0 : random.nextInt(LENGTH);
            int length = round == 0 ? LENGTH : random.nextInt(LENGTH - offset);
            side.post(
                    new WorkRequest.Write(
                            round, List.of(source.segment(offset, length)), part(peer.writable, offset, length)),
                    new WorkRequest.Read(round, readSink.segment(offset, length), part(peer.readable, offset, length)));
        }
    }

    private static RemoteSegment part(RemoteSegment whole, int offset, int length) {
        return new RemoteSegment(whole.stag(), whole.offset() + offset, length);
    }
}
