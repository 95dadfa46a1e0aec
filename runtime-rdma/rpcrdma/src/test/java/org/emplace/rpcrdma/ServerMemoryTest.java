// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server's pooled memory is released whatever its peers do. */
final class ServerMemoryTest {
    private static final int LIMIT = 4 << 20;
    /** An open listener has Receives posted. */
    private static final int ALL_BUT_RECEIVES = LIMIT / 2;

    private static final int COPIED = LIMIT / 10;

    private static final ConnectionOptions SERVING =
            ConnectionOptions.DEFAULT.withCredits(4).withTransferTimeout(Duration.ofMillis(500));

    /** A peer holds memory for longer than a test takes. */
    private static final ConnectionOptions LASTING = SERVING.withTransferTimeout(Duration.ofMinutes(1));

    private final ServiceDispatcher dispatcher = new ServiceDispatcher(1);
    private final CompletableFuture<RpcConnection> caller = new CompletableFuture<>();
    private final CountDownLatch held = new CountDownLatch(1);
    /** Run once, at the next registration of memory. */
    private final AtomicReference<Runnable> registering = new AtomicReference<>(() -> {});

    private final List<PooledBuffer> rest = new ArrayList<>();

    private OneDevice device;
    private RegisteredPool pool;
    private Listener listener;

    @BeforeEach
    void listen() throws Exception {
        device = new OneDevice(OneDevice.watched(IwarpProvider.open(IwarpOptions.DEFAULTS), registering), LIMIT);
        pool = device.pool;
        listener = device.listen(dispatcher, SERVING);
    }

    private void listenAgain(ConnectionOptions options) throws RpcException {
        listener.close();
        listener = device.listen(dispatcher, options);
    }

    @AfterEach
    void close() {
        held.countDown();
        listener.close();
        dispatcher.close();
        device.close();
    }

    @Test
    void aPeerThatDoesNotReceiveLosesItsConnection() throws Exception {
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            caller.complete(call.connection());
            return CompletableFuture.completedFuture(Items.of(Payload.of(Blobs.pattern(32 << 20))));
        })));
        try (DeafPeer peer = DeafPeer.connectedTo(listener.localAddress())) {
            peer.send(get(1, 32 << 20));

            RpcConnection connection = caller.get(20, TimeUnit.SECONDS);
            assertThat(connection.closed().handle((orderly, failure) -> "over").toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(20));
        }
        awaitMemory(ALL_BUT_RECEIVES);
    }

    @Test
    void aCallForWhoseReplyThereIsNoMemoryEndsOnlyItsConnection() throws Exception {
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            takeAllMemory(call);
            takeTheRest();
            return CompletableFuture.completedFuture(Items.of());
        })));
        try (RpcConnection greedy = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            assertFails(() -> Blobs.get(greedy), Kind.DISCONNECTED);
        }
        rest.forEach(PooledBuffer::release);
        awaitMemory(ALL_BUT_RECEIVES);
        try (RpcConnection other = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            assertThat(Blobs.put(other)).isZero();
        }
    }

    @Test
    void aConnectionThatHoldsItsWholeShareLeavesMemoryForAnother() throws Exception {
        CompletableFuture<Items> answer = new CompletableFuture<>();
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            if (caller.complete(call.connection())) {
                takeAllMemory(call);
                return answer;
            }
            return CompletableFuture.completedFuture(
                    new Items(List.of(), call.buffer(16 * 1024).capacity()));
        })));
        try (RpcConnection greedy = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT);
                RpcConnection other = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            RpcCall<Items> first = greedy.call(Blobs.GET, List.of(), Destinations.none(), CallOptions.DEFAULT);
            caller.get(20, TimeUnit.SECONDS);

            assertThat(Blobs.get(other).tag()).isEqualTo(16 * 1024);
            answer.complete(Items.of());
            first.await();
        }
    }

    @Test
    void aPeerThatDoesNotReceiveRepliesLeavesMemoryForAnother() throws Exception {
        listenAgain(LASTING);
        Semaphore calls = new Semaphore(0);
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            caller.complete(call.connection());
            calls.release();
            int length = sizes.get(0).intValue();
            // The first is sent in place and fills the socket; the others are copied.
            return CompletableFuture.completedFuture(
                    Items.of(Payload.of(length > LIMIT ? Blobs.pattern(length) : ByteBuffer.allocate(length))));
        })));
        try (DeafPeer peer = DeafPeer.connectedTo(listener.localAddress());
                RpcConnection other = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            peer.send(get(1, 32 << 20));
            try {
                for (int xid = 2; xid <= 9; xid++) {
                    awaitCallOrEnd(calls);
                    peer.send(get(xid, COPIED));
                }
                awaitCallOrEnd(calls);
            } catch (SocketException ended) {
                // The first reply for which there is no memory ends the connection.
                assertThat(isOver(caller.get(20, TimeUnit.SECONDS))).isTrue();
            }

            assertThat(Blobs.get(other, (long) COPIED).items().get(0).length()).isEqualTo(COPIED);
        }
    }

    private void awaitCallOrEnd(Semaphore calls) throws Exception {
        RpcConnection connection = caller.get(20, TimeUnit.SECONDS);
        Awaitility.await().until(() -> calls.tryAcquire() || isOver(connection));
    }

    private static boolean isOver(RpcConnection connection) {
        return connection.closed().toCompletableFuture().isDone();
    }

    @Test
    void longCallsThatCannotBeReadHoldMemoryForOne() throws Exception {
        listenAgain(LASTING.withMaximumMessage(LIMIT / 4 + 1024));
        Semaphore calls = new Semaphore(0);
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            calls.release();
            return CompletableFuture.completedFuture(Items.of());
        })));
        try (DeafPeer peer = DeafPeer.connectedTo(listener.localAddress());
                RpcConnection other = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            // The first calls increase the credits.
            for (int xid = 1; xid <= 4; xid++) {
                peer.send(get(xid));
                assertThat(calls.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            }
            for (int xid = 5; xid <= 7; xid++) {
                peer.send(longCall(xid, LIMIT / 4));
            }
            peer.send(get(8));
            assertThat(calls.tryAcquire(20, TimeUnit.SECONDS)).isTrue();

            Items argument = Items.of(Payload.of(Blobs.pattern(LIMIT / 4)));
            assertThat(other.call(Blobs.PUT, argument, Destinations.none(), CallOptions.DEFAULT)
                            .await())
                    .isEqualTo(LIMIT / 4);
        }
        awaitMemory(ALL_BUT_RECEIVES);
    }

    @Test
    void longCallsThatWaitForOthersAreAnsweredInTurn() throws Exception {
        listenAgain(LASTING.withMaximumMessage(LIMIT / 16 + 1024));
        dispatcher.add(Blobs.service());
        try (RpcConnection client = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            List<RpcCall<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                Items argument = Items.of(Payload.of(Blobs.pattern(LIMIT / 16)));
                calls.add(client.call(Blobs.PUT, argument, Destinations.none(), CallOptions.DEFAULT));
            }
            for (RpcCall<Long> call : calls) {
                assertThat(call.await()).isEqualTo(LIMIT / 16);
            }
        }
        awaitMemory(ALL_BUT_RECEIVES);
    }

    /** A call of GET without items. */
    private static Words get(int xid) {
        return Words.withoutChunks(xid, 8).call(xid, 2).and(0);
    }

    /** A call whose message is in a Position Zero Read chunk. */
    private static Words longCall(int xid, int length) {
        return Words.header(xid, 8, 1).and(1, 0).and(0x200, length, 0, 0).and(0, 0, 0);
    }

    /** A call of GET with a Write chunk for its one item. */
    private static Words get(int xid, int length) {
        return Words.header(xid, 1, 0)
                .and(0)
                .and(1, 1)
                .and(0x100, length, 0, 0)
                .and(0, 0)
                .call(xid, 2)
                .and(1, length);
    }

    @Test
    void aCallIsAnsweredIfThereIsNoMemoryForItsArguments() throws Exception {
        dispatcher.add(Blobs.service());
        try (RpcConnection client = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            Items tooMuch = Items.of(Payload.of(Blobs.pattern(LIMIT / 8 * 7)));
            assertFails(
                    client.call(Blobs.PUT, tooMuch, Destinations.none(), CallOptions.DEFAULT)::await,
                    Kind.SYSTEM_ERROR);
            assertThat(Blobs.put(client)).isZero();
        }
    }

    @Test
    void callsThatWaitWhenTheDispatcherClosesAreDropped() throws Exception {
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            caller.complete(call.connection());
            held.await();
            return CompletableFuture.completedFuture(Items.of());
        })));
        try (RawPeer peer = RawPeer.connectedTo(OneDevice.address(listener), RawPeer.privateData(false))) {
            for (int xid = 1; xid <= 2; xid++) {
                peer.send(Words.withoutChunks(xid, 4).call(xid, 2).and(0));
            }
            caller.get(20, TimeUnit.SECONDS);

            dispatcher.close();
            listener.close();
        }
        awaitMemory(LIMIT);
    }

    @Test
    void aBufferAcquiredWhileTheCallIsAnsweredIsReleased() throws Exception {
        CompletableFuture<Items> answer = new CompletableFuture<>();
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
            registering.set(() -> {
                answer.complete(Items.of());
                // Long enough for a reply that does not wait for the buffer.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            });
            new Thread(() -> call.buffer(LIMIT / 2)).start();
            return answer;
        })));
        try (RpcConnection client = Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT)) {
            Blobs.get(client);
        }
        awaitMemory(LIMIT / 2);
    }

    /** Also takes the buffers for replies, which have the size of a Receive. */
    private void takeTheRest() {
        for (int size = LIMIT; size >= 1024; size /= 2) {
            try {
                while (true) {
                    rest.add(pool.acquire(size));
                }
            } catch (RdmaException exhausted) {
                assertThat(exhausted.reason()).isEqualTo(RdmaException.Reason.NO_RESOURCES);
            }
        }
    }

    /** Takes all memory that the call's connection may have. */
    private static void takeAllMemory(ServerCall call) {
        try {
            while (true) {
                call.buffer(1024);
            }
        } catch (UncheckedIOException exhausted) {
            assertThat(exhausted).hasCauseInstanceOf(RdmaException.class);
        }
    }

    /** Waits until the pool has a free buffer of this size. */
    private void awaitMemory(int bytes) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreException(RdmaException.class)
                .until(() -> {
                    pool.acquire(bytes).release();
                    return true;
                });
    }
}
