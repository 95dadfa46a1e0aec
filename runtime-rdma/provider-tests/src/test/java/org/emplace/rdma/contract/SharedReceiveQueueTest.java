// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.ProviderUnderTest.Limit;
import org.emplace.rdma.contract.SharingServer.Connection;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** Connections that use a shared receive queue. */
@DisabledIf(value = "cannotShare", disabledReason = "the device has no shared receive queue")
final class SharedReceiveQueueTest {
    private static final int SIZE = SharingServer.RECEIVE_SIZE;

    @AutoClose
    private final SharingServer server = new SharingServer();

    SharedReceiveQueueTest() throws Exception {}

    static boolean cannotShare() {
        return ProviderUnderTest.CHOSEN.has(Limit.NO_SHARED_RECEIVE_QUEUE);
    }

    @Test
    void aReceiveGoesToTheConnectionWhosePeerSends() throws Exception {
        Connection one = server.connect();
        Connection other = server.connect();
        server.post(0, 1);
        other.send(16);
        assertThat(other.received().id()).isZero();
        one.send(16);
        assertThat(one.received().id()).isEqualTo(1);
    }

    @Test
    void manyConnectionsShareFewReceives() throws Exception {
        int connections = 20;
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            all.add(server.connect());
        }
        server.post(0, 1, 2, 3);
        for (int round = 0; round < 5; round++) {
            for (Connection connection : all) {
                MemoryRegion sent = connection.send(1000 + round);
                Completion received = connection.received();
                assertThat(server.received(received)).isEqualTo(sent.buffer());
                server.post(received.id());
            }
        }
    }

    @Test
    void aSendThatWaitsForAReceiveDelaysNoOtherConnection() throws Exception {
        Connection waiting = server.connect();
        Connection free = server.connect();
        MemoryRegion sent = waiting.send(SIZE);
        assertThat(waiting.responder().rest()).isEmpty();
        server.post(0);
        Completion received = waiting.received();
        assertThat(received.length()).isEqualTo(SIZE);
        assertThat(server.received(received)).isEqualTo(sent.buffer());
        assertThat(waiting.initiator().next().status()).isEqualTo(Status.SUCCESS);
        assertThat(free.responder().hasEnded()).isFalse();
    }

    @Test
    void allWaitingSendsAreReceived() throws Exception {
        List<Connection> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(server.connect());
            waiting.get(i).send(64);
            waiting.get(i).send(64);
        }
        for (int i = 0; i < 6; i++) {
            server.post(i);
        }
        Set<Integer> filled = new HashSet<>();
        for (Connection connection : waiting) {
            filled.add(connection.received().id());
            filled.add(connection.received().id());
        }
        assertThat(filled).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    }

    @Test
    void aSendLongerThanItsReceiveEndsOnlyItsConnection() throws Exception {
        Connection greedy = server.connect();
        Connection other = server.connect();
        server.post(0, 1);
        greedy.send(SIZE + 1);
        assertThat(greedy.responder().end()).isNotEmpty();
        assertThat(greedy.responder().next().status()).isNotEqualTo(Status.SUCCESS);
        other.send(16);
        assertThat(other.received().id()).isEqualTo(1);
    }

    @Test
    void aConnectionThatEndsLeavesTheReceivesPosted() throws Exception {
        Connection leaving = server.connect();
        server.post(0, 1);
        leaving.send(16);
        leaving.received();
        leaving.responder().queuePair().close();
        leaving.responder().end();
        assertThat(leaving.responder().rest()).isEmpty();

        Connection next = server.connect();
        next.send(16);
        assertThat(next.received().id()).isEqualTo(1);
    }

    @Test
    void aConnectionThatEndsWhileWaitingLeavesTheReceiveToTheNext() throws Exception {
        Connection leaving = server.connect();
        Connection staying = server.connect();
        leaving.send(16);
        leaving.initiator().queuePair().close();
        leaving.responder().queuePair().close();
        leaving.responder().end();
        server.post(0);
        staying.send(16);
        assertThat(staying.received().id()).isZero();
    }

    @Test
    void theQueueIsClosedAfterItsListenerAndItsLastConnection() throws Exception {
        Connection last = server.connect();
        SharedReceiveQueue queue = server.queue();
        server.post(0, 1);
        server.listener.close();
        last.send(16);
        assertThat(last.received().id()).isZero();
        assertThat(queue.closed().toCompletableFuture()).isNotDone();

        last.initiator().queuePair().close();
        last.responder().end();
        assertThat(queue.closed().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void theQueueIsClosedWithItsProvider() throws Exception {
        server.connect();
        server.post(0, 1);
        SharedReceiveQueue queue = server.queue();
        server.close();
        assertThat(queue.closed().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
        queue.postReceive(server.receive(2));
    }

    @Test
    void memoryOfUnusedReceivesIsReturnedToTheConsumer() throws Exception {
        server.connect();
        server.post(0, 1, 2);
        long before = server.bytesHeld();
        SharedReceiveQueue queue = server.queue();
        server.listener.close();
        server.closeConnections();
        assertThat(queue.closed().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
        server.memory.close();
        assertThat(server.bytesHeld()).isLessThan(before);
    }

    @Test
    void receivesBeyondTheCapacityArePostedWhenThereIsRoom() throws Exception {
        Connection connection = server.connect();
        int all = server.queue().capacity() + 5;
        for (int i = 0; i < all; i++) {
            server.queue().postReceive(server.receive(i % SharingServer.RECEIVES));
        }
        for (int i = 0; i < all; i++) {
            connection.send(16);
            assertThat(connection.received().id()).isEqualTo(i % SharingServer.RECEIVES);
            connection.initiator().next();
        }
    }

    @Test
    void aConnectionWithASharedQueueHasNoReceivesOfItsOwn() throws Exception {
        Connection connection = server.connect();
        assertThatThrownBy(() -> connection.responder().queuePair().postReceive(server.receive(0)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRegionOfAnotherProviderIsRejected() throws Exception {
        server.connect();
        ReceiveRequest foreign = new ReceiveRequest(0, new ForeignRegion().segment(0, 16));
        assertThatThrownBy(() -> server.queue().postReceive(foreign)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theQueueOfAnotherListenerIsRejected() throws Exception {
        server.connect();
        try (SharingServer stranger = new SharingServer()) {
            stranger.offering(server.queue());
            assertThatThrownBy(stranger::connect).hasCauseInstanceOf(RdmaException.class);
            assertThat(stranger.refusal()).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anInitiatorCannotUseASharedQueue() throws Exception {
        server.connect();
        assertThatThrownBy(() -> server.connectWith(server.queue())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void receivesPostedAndCompletedAreCounted() throws Exception {
        Connection connection = server.connect();
        server.post(0, 1);
        connection.send(16);
        connection.received();
        Statistics.Work receives = server.provider.statistics().work().get(Operation.RECEIVE);
        assertThat(receives).isEqualTo(new Statistics.Work(2, 1, 16, 0, 0));
    }
}
