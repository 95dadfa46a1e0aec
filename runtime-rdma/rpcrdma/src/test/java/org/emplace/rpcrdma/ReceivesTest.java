// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Peer;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.ConnectionReceives.Own;
import org.emplace.rpcrdma.link.GrantedCredits;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.SharedReceives;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Promised Receives are posted even if registering memory takes long or memory is exhausted. */
final class ReceivesTest {
    private static final int SIZE = 4096;
    private static final Peer PEER = Peer.of(InetAddress.getLoopbackAddress());

    private final AtomicReference<Runnable> registering = new AtomicReference<>(() -> {});
    private final AtomicBoolean registered = new AtomicBoolean();

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final RegisteredPool pool = new RegisteredPool(OneDevice.watched(provider, registering), 16 << 20);

    ReceivesTest() throws Exception {}

    @Test
    void aReceivedReplyDoesNotWaitForARegistrationOfAnotherThread() throws Exception {
        ConnectionReceives receives = new Own(pool, SIZE, 2, 1000);
        receives.expectReply();
        whileMemoryIsRegistered(receives::replyCame);

        while (!registered.get()) {
            receives.expectReply();
        }
    }

    @Test
    void aReceivedCallDoesNotWaitForMemoryForFurtherCredits() throws Exception {
        GrantedCredits credits = new Own(pool, SIZE, 1000, 2).credits();
        whileMemoryIsRegistered(() -> assertThat(credits.consume()).isTrue());

        while (!registered.get()) {
            int granted = credits.grant(1000);
            for (int call = 0; call < granted; call++) {
                credits.consume();
            }
            for (int call = 0; call < granted; call++) {
                credits.answered();
                credits.replySent();
            }
        }
    }

    @Test
    void aConnectionOfASharedQueueEndsWithoutWaitingForMemoryOfAnother() throws Exception {
        SharedReceives shared = new SharedReceives(sharedQueue(), pool, SIZE);
        ConnectionReceives busy = shared.join(PEER, 1);
        ConnectionReceives ending = shared.join(PEER, 1);
        whileMemoryIsRegistered(() -> {
            ending.disconnected();
            busy.replyCame();
        });

        while (!registered.get()) {
            busy.expectReply();
        }
    }

    @Test
    void withoutMemoryForAnotherReceiveAMessageIsCopiedAndItsReceivePostedAgain() throws Exception {
        RegisteredPool twoReceives = new RegisteredPool(provider, 2 * SIZE);
        ConnectionReceives receives = new Own(twoReceives, SIZE, 4, 0);
        List<ReceiveRequest> posted = posted(receives);
        ReceiveRequest receive = posted.get(0);

        ReceivedMessage first = arrived(receives, receive, 1);
        assertThat(posted(receives)).containsExactly(receive, posted.get(1), receive);

        ReceivedMessage second = arrived(receives, receive, 2);
        assertThat(posted(receives)).hasSize(4);
        assertThat(first.bytes().getInt()).isEqualTo(1);
        assertThat(first.decoder().readInt()).isEqualTo(1);
        assertThat(second.bytes().getInt()).isEqualTo(2);
        first.release();
        second.release();
        receives.disconnected();

        assertThat(twoReceives.acquire(2 * SIZE))
                .as("the whole pool is free again")
                .isNotNull();
    }

    @Test
    void aMessageKeepsItsBufferWhenItsConnectionEnds() throws Exception {
        RegisteredPool fourReceives = new RegisteredPool(provider, 4 * SIZE);
        ConnectionReceives receives = new Own(fourReceives, SIZE, 4, 0);
        ReceivedMessage message = arrived(receives, posted(receives).get(0), 1);

        receives.disconnected();
        assertThatThrownBy(() -> fourReceives.acquire(4 * SIZE)).isInstanceOf(RdmaException.class);
        assertThat(message.bytes().getInt()).isEqualTo(1);

        message.release();
        assertThat(fourReceives.acquire(4 * SIZE)).isNotNull();
    }

    @Test
    void creditsOfOneConnectionLeaveHalfOfASharedQueueForOthers() throws Exception {
        SharedReceiveQueue queue = sharedQueue();
        RegisteredPool large = new RegisteredPool(provider, 32L * queue.capacity() * SIZE);
        SharedReceives shared = new SharedReceives(queue, large, SIZE);
        int granted = grantedToOneThatUsesAll(shared.join(PEER, queue.capacity()), queue.capacity());
        int spare = 32;

        assertThat(granted).isEqualTo((queue.capacity() - spare) / 2 * 7 / 8);
        assertThat(joined(shared)).hasSize(queue.capacity() - spare - granted);
        shared.close();
        assertThat(large.acquire(32 * queue.capacity() * SIZE)).isNotNull();
    }

    @Test
    void promisedReceivesAreFreeForOthersWhenAConnectionHasEnded() throws Exception {
        SharedReceives shared = new SharedReceives(sharedQueue(), pool, SIZE);
        List<ConnectionReceives> connections = joined(shared);
        ConnectionReceives calling = connections.get(0);
        ConnectionReceives ending = connections.get(1);
        assertThatThrownBy(calling::expectReply).isInstanceOf(RdmaException.class);

        ending.disconnected();
        ending.disconnected();
        calling.expectReply();
        assertThat(joined(shared)).isEmpty();
        calling.replyCame();
        assertThat(joined(shared)).hasSize(1);

        calling.disconnected();
        assertThat(joined(shared)).hasSize(1);
    }

    /** What it was granted before it became idle stays promised: a lower grant would not reach it. */
    @Test
    void creditsOfIdleConnectionsLeaveSomeToAnotherAddress() throws Exception {
        SharedReceiveQueue queue = sharedQueue();
        RegisteredPool large = new RegisteredPool(provider, 32L * queue.capacity() * SIZE);
        SharedReceives shared = new SharedReceives(queue, large, SIZE);
        int credits = queue.capacity() / 128;
        List<ConnectionReceives> idle = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            idle.add(shared.join(PEER, credits));
            grantedToOneThatUsesAll(idle.get(i), credits);
        }

        ConnectionReceives good = shared.join(Peer.of(InetAddress.getByName("192.0.2.2")), credits);
        assertThat(grantedToOneThatUsesAll(good, credits)).isEqualTo(credits);
        assertThat(grantedToOneThatUsesAll(shared.join(PEER, credits), credits)).isEqualTo(1);

        idle.forEach(ConnectionReceives::disconnected);
        assertThat(grantedToOneThatUsesAll(shared.join(PEER, credits), credits)).isEqualTo(credits);
    }

    /** The last grant to a connection that has all of its credits in use. */
    private static int grantedToOneThatUsesAll(ConnectionReceives connection, int asked) {
        int granted = 0;
        for (int next = 1; next > granted; next = connection.credits().grant(asked)) {
            granted = next;
            for (int call = 0; call < granted; call++) {
                connection.credits().consume();
            }
        }
        return granted;
    }

    /** Makes as many connections as the queue has Receives for. */
    private static List<ConnectionReceives> joined(SharedReceives shared) {
        List<ConnectionReceives> connections = new ArrayList<>();
        try {
            while (true) {
                connections.add(shared.join(PEER, 1));
            }
        } catch (RdmaException full) {
            assertThat(full.reason()).isEqualTo(RdmaException.Reason.NO_RESOURCES);
            return connections;
        }
    }

    private static List<ReceiveRequest> posted(ConnectionReceives receives) {
        return ((Receives.Own) receives.receives()).first();
    }

    private static ReceivedMessage arrived(ConnectionReceives receives, ReceiveRequest receive, int word) {
        receive.sink().buffer().putInt(word);
        return Objects.requireNonNull(
                receives.completed(Completion.success(receive.id(), Completion.Operation.RECEIVE, Integer.BYTES)));
    }

    /** Makes the next registration of memory wait for an action on another thread. */
    private void whileMemoryIsRegistered(Runnable action) {
        registering.set(() -> {
            CompletableFuture.runAsync(action).orTimeout(20, TimeUnit.SECONDS).join();
            registered.set(true);
        });
    }

    private SharedReceiveQueue sharedQueue() throws Exception {
        CompletableFuture<SharedReceiveQueue> offered = new CompletableFuture<>();
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RdmaListener listener = provider.listen(local, 1024, request -> {
            offered.complete(request.sharedReceiveQueue().orElseThrow());
            request.reject(new byte[0]);
        });
        ConnectionParameters parameters =
                new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, List.of(), Duration.ofSeconds(20));
        CompletionStage<QueuePair> rejected = provider.connect(listener.localAddress(), parameters, new Unconcerned());
        assertThat(rejected).failsWithin(Duration.ofSeconds(20));
        return offered.get(20, TimeUnit.SECONDS);
    }

    /** The handler of a connection that is never established. */
    private static final class Unconcerned implements Handler {
        @Override
        public void established(QueuePair queuePair) {}

        @Override
        public void completed(List<Completion> completions) {}

        @Override
        public void disconnected(@Nullable RdmaException cause) {}
    }
}
