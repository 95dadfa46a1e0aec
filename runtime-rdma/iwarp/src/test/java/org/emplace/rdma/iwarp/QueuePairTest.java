// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exchanges between two providers, over both MPA revisions, with and without CRC. */
final class QueuePairTest {

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "2, true", "2, false"})
    void privateDataReachesBothSides(int revision, boolean crc) throws Exception {
        try (ConnectedPair pair = pair(revision, crc)) {
            assertThat(pair.initiatorPair.remotePrivateData())
                    .asString(US_ASCII)
                    .isEqualTo("pong");
            assertThat(pair.responderPair.remotePrivateData())
                    .asString(US_ASCII)
                    .isEqualTo("ping");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "2, true", "2, false"})
    void sendsArriveInOrderWhateverTheirLength(int revision, boolean crc) throws Exception {
        try (ConnectedPair pair = pair(revision, crc)) {
            int[] lengths = {0, 1, 3, 4, 4096, 61_440, 61_441, 200_000};
            MemoryRegion source = randomRegion(pair, 200_001);
            for (int i = 0; i < lengths.length; i++) {
                pair.initiatorPair.post(List.of(send(100 + i, source, 1, lengths[i])));
            }
            for (int i = 0; i < lengths.length; i++) {
                assertThat(pair.responderHandler.next())
                        .isEqualTo(Completion.success(i, Operation.RECEIVE, lengths[i]));
                assertThat(ConnectedPair.received(pair.responderReceives, i, lengths[i]))
                        .isEqualTo(source.buffer().slice(1, lengths[i]));
                assertThat(pair.initiatorHandler.next())
                        .isEqualTo(Completion.success(100 + i, Operation.SEND, lengths[i]));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "2, true", "2, false"})
    void aWriteIsPlacedBeforeTheSendAfterIt(int revision, boolean crc) throws Exception {
        try (ConnectedPair pair = pair(revision, crc)) {
            for (int length : new int[] {0, 1, 5, 65_537, 3_000_003}) {
                MemoryRegion source = randomRegion(pair, length);
                MemoryRegion target = ConnectedPair.region(pair.responder, length + 2);
                RemoteAccess access = pair.responderPair.expose(target.segment(1, length), Right.REMOTE_WRITE);
                WorkRequest write = new WorkRequest.Write(
                        1,
                        List.of(source.segment(0, length / 3), source.segment(length / 3, length - length / 3)),
                        access.advertised());
                pair.initiatorPair.post(List.of(write, send(2, source, 0, 0)));

                assertThat(pair.responderHandler.next().operation()).isEqualTo(Operation.RECEIVE);
                assertThat(target.buffer().slice(1, length)).isEqualTo(source.buffer());
                assertThat(target.buffer().get(0)).isZero();
                assertThat(target.buffer().get(length + 1)).isZero();
                assertThat(pair.initiatorHandler.next()).isEqualTo(Completion.success(1, Operation.WRITE, length));
                assertThat(pair.initiatorHandler.next().operation()).isEqualTo(Operation.SEND);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "2, true", "2, false"})
    void readsFillTheirSinksHoweverManyArePosted(int revision, boolean crc) throws Exception {
        try (ConnectedPair pair = pair(revision, crc)) {
            int reads = 3 * ConnectedPair.READS;
            int length = 250_001;
            MemoryRegion source = randomRegion(pair, reads * length);
            MemoryRegion sink = ConnectedPair.region(pair.responder, reads * length);
            RemoteSegment advertised = pair.initiatorPair
                    .expose(source.segment(0, reads * length), Right.REMOTE_READ)
                    .advertised();
            pair.initiatorPair.post(List.of(send(0, source, 0, 1)));
            List<WorkRequest> requests = new ArrayList<>();
            for (int i = 0; i < reads; i++) {
                requests.add(new WorkRequest.Read(
                        i,
                        sink.segment(i * length, length),
                        new RemoteSegment(advertised.stag(), advertised.offset() + (long) i * length, length)));
            }
            pair.responderPair.post(requests);
            assertThat(pair.responderHandler.next().operation()).isEqualTo(Operation.RECEIVE);
            for (int i = 0; i < reads; i++) {
                assertThat(pair.responderHandler.next()).isEqualTo(Completion.success(i, Operation.READ, length));
            }
            assertThat(sink.buffer()).isEqualTo(source.buffer());
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aSendWithInvalidateEndsTheAccess(boolean crc) throws Exception {
        try (ConnectedPair pair = pair(2, crc)) {
            MemoryRegion target = ConnectedPair.region(pair.responder, 10);
            RemoteAccess access = pair.responderPair.expose(target.segment(0, 10), Right.REMOTE_WRITE);
            int stag = access.advertised().stag();
            MemoryRegion source = randomRegion(pair, 10);
            pair.initiatorPair.post(
                    List.of(new WorkRequest.Send(1, List.of(source.segment(0, 7)), OptionalInt.of(stag))));

            assertThat(pair.responderHandler.next())
                    .isEqualTo(new Completion(0, Operation.RECEIVE, Status.SUCCESS, 7, OptionalInt.of(stag)));
            access.revoke().toCompletableFuture().get(20, TimeUnit.SECONDS);

            pair.initiatorPair.post(
                    List.of(new WorkRequest.Write(2, List.of(source.segment(0, 1)), access.advertised())));
            assertThat(pair.responderHandler.end())
                    .hasValueSatisfying(cause -> assertThat(cause).hasMessageContaining("not exposed"));
            assertThat(target.buffer().get(0)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void bothSidesSendWriteAndReadAtOnce(boolean crc) throws Exception {
        try (ConnectedPair pair = pair(2, crc)) {
            int rounds = 200;
            Exchange one = new Exchange(pair.initiatorPair, pair.initiatorHandler, pair);
            Exchange other = new Exchange(pair.responderPair, pair.responderHandler, pair);
            pair.initiatorPair.post(List.of(send(-1, one.source, 0, 1)));
            assertThat(pair.responderHandler.next().operation()).isEqualTo(Operation.RECEIVE);
            assertThat(pair.initiatorHandler.next().id()).isEqualTo(-1);
            for (int i = 0; i < rounds; i++) {
                one.post(i, other);
                other.post(i, one);
            }
            for (Exchange side : List.of(one, other)) {
                List<Long> writes = new ArrayList<>();
                List<Long> reads = new ArrayList<>();
                for (int i = 0; i < 2 * rounds; i++) {
                    Completion completion = side.handler.next();
                    assertThat(completion.status()).isEqualTo(Status.SUCCESS);
                    (completion.operation() == Operation.WRITE ? writes : reads).add(completion.id());
                }
                assertThat(writes).hasSize(rounds).isSorted();
                assertThat(reads).hasSize(rounds).isSorted();
            }
            assertThat(one.readSink.buffer()).isEqualTo(other.source.buffer());
            assertThat(other.readSink.buffer()).isEqualTo(one.source.buffer());
            assertThat(one.writeTarget.buffer()).isEqualTo(other.source.buffer());
            assertThat(other.writeTarget.buffer()).isEqualTo(one.source.buffer());
        }
    }

    /** One side's memory in an exchange of Writes and Reads, whose offsets and lengths a seed determines. */
    private static final class Exchange {
        private static final int LENGTH = 400_000;

        private final QueuePair queuePair;
        private final RecordingHandler handler;
        private final MemoryRegion source;
        private final MemoryRegion readSink;
        private final MemoryRegion writeTarget;
        private final RemoteSegment readable;
        private final RemoteSegment writable;
        private final Random random = new Random(7);

        Exchange(QueuePair queuePair, RecordingHandler handler, ConnectedPair pair) throws Exception {
            this.queuePair = queuePair;
            this.handler = handler;
            source = randomRegion(pair, LENGTH);
            readSink = ConnectedPair.region(pair.initiator, LENGTH);
            writeTarget = ConnectedPair.region(pair.initiator, LENGTH);
            readable = queuePair
                    .expose(source.segment(0, LENGTH), Right.REMOTE_READ)
                    .advertised();
            writable = queuePair
                    .expose(writeTarget.segment(0, LENGTH), Right.REMOTE_WRITE)
                    .advertised();
        }

        /** Posts a round. The first moves everything, later ones parts of it again. */
        void post(int round, Exchange peer) {
            int offset = round == 0 ? 0 : random.nextInt(LENGTH);
            int length = round == 0 ? LENGTH : random.nextInt(LENGTH - offset);
            queuePair.post(List.of(
                    new WorkRequest.Write(
                            round, List.of(source.segment(offset, length)), part(peer.writable, offset, length)),
                    new WorkRequest.Read(
                            round, readSink.segment(offset, length), part(peer.readable, offset, length))));
        }

        private static RemoteSegment part(RemoteSegment whole, int offset, int length) {
            return new RemoteSegment(whole.stag(), whole.offset() + offset, length);
        }
    }

    private static ConnectedPair pair(int revision, boolean crc) throws Exception {
        return ConnectedPair.with(
                IwarpOptions.DEFAULTS.withMpaRevision(revision).withCrc(crc));
    }

    private static WorkRequest send(long id, MemoryRegion source, int offset, int length) {
        return new WorkRequest.Send(id, List.of(source.segment(offset, length)), OptionalInt.empty());
    }

    private static MemoryRegion randomRegion(ConnectedPair pair, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return pair.initiator.register(
                ByteBuffer.allocateDirect(length).put(bytes).flip());
    }
}
