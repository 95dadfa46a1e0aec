// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However much a peer sends, its messages are taken in turns of a few, between which others have theirs. */
@Timeout(60)
final class TurnsTest {
    private static final int MANY = 2000;
    private static final int A_TURN = 16;
    private static final int CROWD = 40;
    /** As much as any socket takes at once. */
    private static final int WRITTEN = 16 * 1024;
    /** The bytes before the payload in the segment of an RDMA Write. */
    private static final int TAGGED_HEAD = 14;
    /** How much of a round one peer may have, in messages. */
    private static final int A_ROUND = 64;

    @AutoClose
    private final IwarpProvider provider = IwarpProvider.open(onOneLoop());

    private final MemoryRegion memory = provider.register(ByteBuffer.allocateDirect(16));
    /** The number of messages in each batch, and who sent them. */
    private final List<Batch> batches = new CopyOnWriteArrayList<>();

    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch sent = new CountDownLatch(1);
    private final MemoryRegion source = provider.register(ByteBuffer.allocateDirect(WRITTEN));
    private volatile boolean refusing;
    /** How many RDMA Writes answer each message, and the length of each. */
    private volatile int writes;

    private volatile int lengthWritten;
    /** The addresses of peers for which RDMA Writes have been completed, one for each batch. */
    private final List<String> answered = new CopyOnWriteArrayList<>();

    @AutoClose
    private @Nullable RdmaListener listener;

    private record Batch(QueuePair of, int messages) {}

    TurnsTest() throws RdmaException {}

    private static IwarpOptions onOneLoop() {
        IwarpOptions usual = IwarpOptions.DEFAULTS;
        return new IwarpOptions(
                usual.crc(),
                usual.mpaRevision(),
                1,
                usual.requestTimeout(),
                usual.replyTimeout(),
                usual.drainTimeout(),
                usual.receiveTimeout(),
                usual.handshakes());
    }

    @BeforeEach
    void listen() throws RdmaException {
        listener =
                provider.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MANY + 10, this::requested);
    }

    private void requested(ConnectionAcceptor.Request request) {
        SharedReceiveQueue queue = request.sharedReceiveQueue().orElseThrow();
        for (int i = 0; i < MANY; i++) {
            queue.postReceive(new ReceiveRequest(i, memory.segment(0, 16)));
        }
        request.accept(
                new ConnectionParameters(
                        PrivateData.of(new byte[0]), 1, 1, queue, Duration.ofSeconds(20), Duration.ofSeconds(60)),
                new Recording());
    }

    @Test
    void aTurnHasAFewMessagesWhileOthersWait() throws Exception {
        List<Batch> ofTwo = batchesOfTwo(MANY / 2);

        // The loop knows of the others from the second channel on that it finds ready.
        assertThat(ofTwo.stream().skip(2)).allMatch(batch -> batch.messages <= A_TURN);
        assertThat(ofTwo).anyMatch(batch -> batch.messages == A_TURN);
    }

    @Test
    void aPeerAloneHasAllOfARound() throws Exception {
        try (RawPeer peer = establishedFrom("127.0.0.1")) {
            sent.countDown();
            send(peer, 1, MANY);
            awaitMessages(MANY);
        }
        assertThat(batches).allMatch(batch -> batch.messages <= A_ROUND);
    }

    @Test
    void messagesAfterOneThatIsRefusedAreTakenSinglyWhileOthersWait() throws Exception {
        refusing = true;

        // The first message of one, its first turn, and a turn of each before a refusal while others wait.
        assertThat(batchesOfTwo(200).stream().skip(4)).allMatch(batch -> batch.messages == 1);
    }

    /** Two peers send as many messages each. Returns the batches before one of them has sent all. */
    private List<Batch> batchesOfTwo(int messages) throws Exception {
        try (RawPeer one = establishedFrom("127.0.0.1");
                RawPeer other = establishedFrom("127.0.0.2")) {
            send(one, 1, 1);
            assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
            send(one, 2, messages - 1);
            send(other, 1, messages);
            sent.countDown();
            awaitMessages(2 * messages);
        }
        Map<QueuePair, Integer> totals = new HashMap<>();
        List<Batch> before = new ArrayList<>();
        for (Batch batch : batches) {
            if (totals.merge(batch.of, batch.messages, Integer::sum) == messages) {
                break;
            }
            before.add(batch);
        }
        return before;
    }

    @Test
    void aPeerThatSendsManyMessagesDelaysAnotherByNoMoreThanARound() throws Exception {
        try (RawPeer many = establishedFrom("127.0.0.1");
                RawPeer one = establishedFrom("127.0.0.2")) {
            send(many, 1, 1);
            assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
            send(many, 2, MANY - 1);
            send(one, 1, 1);
            sent.countDown();
            awaitMessages(MANY + 1);
        }
        QueuePair first = batches.get(0).of;
        int before = 0;
        for (Batch batch : batches) {
            if (batch.of != first) {
                break;
            }
            before += batch.messages;
        }
        assertThat(before).isLessThanOrEqualTo(1 + A_ROUND + A_TURN);
    }

    @Test
    void whatIsWrittenToAPeerCountsInItsShareOfTheRound() throws Exception {
        lengthWritten = WRITTEN;
        writes = 1;
        try (Crowd many = new Crowd()) {
            assertThat(many.answeredBeforeAnother()).isLessThan(CROWD / 2);
            for (RawPeer peer : many.peers) {
                assertThat(peer.receiveFpdu()).hasSize(TAGGED_HEAD + WRITTEN);
            }
        }
    }

    @Test
    void segmentsThatAreWrittenCountHoweverShort() throws Exception {
        lengthWritten = 1;
        writes = 400;
        try (Crowd many = new Crowd()) {
            assertThat(many.answeredBeforeAnother()).isLessThan(8);
        }
    }

    /** Many connections from one address. */
    private final class Crowd implements AutoCloseable {
        private final List<RawPeer> peers = new ArrayList<>();

        Crowd() throws Exception {
            for (int i = 0; i < CROWD; i++) {
                peers.add(establishedFrom("127.0.0.1"));
            }
        }

        /** Has each connection send a message while the loop is busy with the first, and then one of another address. Returns how many are answered before that. */
        int answeredBeforeAnother() throws Exception {
            try (RawPeer other = establishedFrom("127.0.0.2")) {
                send(peers.get(0), 1, 1);
                assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
                for (RawPeer peer : peers.subList(1, CROWD)) {
                    send(peer, 1, 1);
                }
                send(other, 1, 1);
                sent.countDown();
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> answered.contains("127.0.0.2"));
                return answered.indexOf("127.0.0.2");
            }
        }

        @Override
        public void close() throws IOException {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
    }

    private RawPeer establishedFrom(String address) throws Exception {
        RawPeer peer = RawPeer.connectedTo(Objects.requireNonNull(listener).localAddress(), address);
        peer.setUp();
        return peer;
    }

    /** Sends messages without payload together. */
    private static void send(RawPeer peer, int firstSequence, int count) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(empty(firstSequence + i));
        }
        peer.send(all.toByteArray());
    }

    private static byte[] empty(int sequence) {
        return RawPeer.fpdu(RawPeer.hex("4143 00000000 00000000 " + String.format("%08x", sequence) + "00000000"));
    }

    private void awaitMessages(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> batches.stream().mapToInt(Batch::messages).sum() == count);
    }

    /** Records the batches. While a test is about to send, keeps the loop busy with the first message. */
    private final class Recording implements Handler {
        private @Nullable QueuePair own;

        @Override
        public void established(QueuePair queuePair) {
            own = queuePair;
        }

        @Override
        public void completed(List<Completion> completions) {
            QueuePair of = Objects.requireNonNull(own);
            int received = (int) completions.stream()
                    .filter(completion -> completion.operation() == Completion.Operation.RECEIVE)
                    .filter(completion -> completion.status() == Completion.Status.SUCCESS)
                    .count();
            if (completions.stream().anyMatch(completion -> completion.operation() == Completion.Operation.WRITE)) {
                answered.add(of.remoteAddress().getAddress().getHostAddress());
            }
            if (received > 0) {
                batches.add(new Batch(of, received));
            }
            if (batches.size() == 1 && received == 1) {
                busy.countDown();
                awaitSent();
            }
            if (refusing) {
                of.endTurn();
            }
            for (int i = 0; i < writes * received; i++) {
                int length = lengthWritten;
                of.post(new WorkRequest.Write(0, List.of(source.segment(0, length)), new RemoteSegment(1, 0, length)));
            }
        }

        private void awaitSent() {
            try {
                assertThat(sent.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void disconnected(@Nullable RdmaException cause) {}
    }
}
