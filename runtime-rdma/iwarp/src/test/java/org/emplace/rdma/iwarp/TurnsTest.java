// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
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
    /** How much of a round one peer may have, in messages. */
    private static final int A_ROUND = 64;

    @AutoClose
    private final IwarpProvider provider = IwarpProvider.open(onOneLoop());

    private final MemoryRegion memory = provider.register(ByteBuffer.allocateDirect(16));
    /** The number of messages in each batch, and who sent them. */
    private final List<Batch> batches = new CopyOnWriteArrayList<>();

    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch sent = new CountDownLatch(1);
    private volatile boolean refusing;

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

    private RawPeer establishedFrom(String address) throws Exception {
        RawPeer peer = RawPeer.connectedTo(Objects.requireNonNull(listener).localAddress(), address);
        peer.setUp();
        return peer;
    }

    /** Sends messages without payload together. */
    private static void send(RawPeer peer, int firstSequence, int count) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(RawPeer.fpdu(
                    RawPeer.hex("4143 00000000 00000000 " + String.format("%08x", firstSequence + i) + "00000000")));
        }
        peer.send(all.toByteArray());
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
                    .filter(completion -> completion.status() == Completion.Status.SUCCESS)
                    .count();
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
