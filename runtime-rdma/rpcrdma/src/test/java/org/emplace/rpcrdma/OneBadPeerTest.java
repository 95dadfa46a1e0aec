// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.OneBadPeer.leavesHalfTheRate;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.emplace.Rpc;
import org.emplace.reactor.LoggedBy;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.IncompleteRecords;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.tcp.TcpTransport;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bad peer leaves a good client at least half of its rate, whatever the peer does. Both have the same address, unless the bad
 * peer uses up the share of an address.
 */
@Timeout(180)
final class OneBadPeerTest {
    private static final int POOL = 16 << 20;
    /** The default of a server. With as few threads as floods, little else on the machine may cost the good client half of its rate. */
    private static final int THREADS = 16;

    private static final int CONNECTIONS = 16;
    private static final int ARGUMENT = 32 << 10;
    private static final int RESULT = 32 << 10;
    private static final Duration IDLE = Duration.ofMinutes(1);
    /** Soon, where silent connections have to make room. */
    private static final Duration SOON_IDLE = Duration.ofMillis(20);
    /** A call takes much longer than its processor time, which the bad peer shares in this process. */
    private static final int CALL_MILLIS = 4;

    private static final CallOptions SMALL_REPLY = CallOptions.DEFAULT.withUnboundedReplySize(100);
    private static final ConnectionOptions SERVING =
            ConnectionOptions.DEFAULT.withCredits(16).withMaxMessage(2 << 20);

    private final ServiceDispatcher dispatcher =
            ServiceDispatcher.forManyPeers(THREADS, 0, 0, ServerObserver.NONE, Timekeeper.system("timer"));
    private OneDevice device;
    private @Nullable Listener listener;

    @BeforeEach
    void open() throws Exception {
        device = new OneDevice(POOL);
        dispatcher.add(Blobs.service(
                Blobs.handler(
                        Blobs.PUT,
                        (items, call) -> worked(items.items().get(0).buffer().remaining() + 0L)),
                Blobs.handler(
                        Blobs.GET,
                        (sizes, call) -> worked(
                                Items.of(Payload.of(call.buffer(sizes.get(0).intValue()))))),
                Blobs.handler(Blobs.ECHO, (bytes, call) -> worked(bytes))));
    }

    private static <T> CompletableFuture<T> worked(T result) throws InterruptedException {
        Thread.sleep(CALL_MILLIS);
        return CompletableFuture.completedFuture(result);
    }

    @AfterEach
    void close() {
        if (listener != null) {
            listener.close();
        }
        dispatcher.close();
        device.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void manySilentConnections(String scheme) throws Exception {
        listen(scheme, SOON_IDLE);

        leavesHalfTheRate(
                () -> many(
                        CONNECTIONS,
                        () -> new Socket(address().getAddress(), address().getPort())),
                () -> {
                    connectAndCall(scheme);
                    return null;
                });
    }

    @Test
    void manyEstablishedButSilentConnections() throws Exception {
        listen("rdma", SOON_IDLE);

        leavesHalfTheRate(() -> many(CONNECTIONS, this::setUp), () -> {
            connectAndCall("rdma");
            return null;
        });
    }

    /** If it gets no more connections, it has reached its aim. */
    private AutoCloseable setUp() throws IOException {
        try {
            return DeafPeer.connectedTo(address());
        } catch (EOFException rejected) {
            return () -> {};
        }
    }

    @Test
    void longCallsThatCannotBeRead() throws Exception {
        listen("rdma");
        try (RpcConnection good = connect("rdma")) {
            Items argument = Items.of(Payload.of(Blobs.pattern(ARGUMENT)));

            leavesHalfTheRate(
                    () -> many(4, this::unreadable),
                    () -> good.call(Blobs.PUT, argument, Destinations.none(), CallOptions.DEFAULT)
                            .await());
        }
    }

    /** As many Long Calls as allowed, of the largest size. */
    private DeafPeer unreadable() throws IOException {
        DeafPeer peer = DeafPeer.connectedTo(address());
        for (int xid = 1; xid <= 2; xid++) {
            peer.send(
                    Words.header(xid, 16, 1).and(1, 0).and(0x200, 1 << 20, 0, 0).and(0, 0, 0));
        }
        return peer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void repliesThatAreNotReceived(String scheme) throws Exception {
        listen(scheme);
        try (RpcConnection good = connect(scheme)) {
            leavesHalfTheRate(
                    () -> scheme.equals("tcp") ? deafOverTcp() : many(2, this::deafOverRdma),
                    () -> Blobs.get(good, (long) RESULT));
        }
    }

    /** Together they would hold several times the memory that records may hold. */
    @Test
    void recordsThatAreNotCompleted() throws Exception {
        listen("tcp");
        try (RpcConnection good = connect("tcp")) {
            Items argument = Items.of(Payload.of(Blobs.pattern(ARGUMENT)));

            leavesHalfTheRate(
                    () -> new IncompleteRecords("127.0.0.2", address(), CONNECTIONS - 4, 2 << 20),
                    () -> good.call(Blobs.PUT, argument, Destinations.none(), CallOptions.DEFAULT)
                            .await());
        }
    }

    private Socket deafOverTcp() throws IOException {
        Socket deaf = new Socket();
        deaf.setReceiveBufferSize(4096);
        deaf.connect(address());
        for (int xid = 0; xid < 16; xid++) {
            deaf.getOutputStream().write(record(new Words().call(xid, 2).and(1, 1 << 20)));
        }
        return deaf;
    }

    private DeafPeer deafOverRdma() throws IOException {
        DeafPeer deaf = DeafPeer.connectedTo(address());
        for (int xid = 1; xid <= 2; xid++) {
            deaf.send(Words.header(xid, 16, 0)
                    .and(0, 1, 1)
                    .and(0x100, 1 << 20, 0, 0)
                    .and(0, 0)
                    .call(xid, 2)
                    .and(1, 1 << 20));
        }
        return deaf;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aFloodOfCallsOverEightConnections(String scheme) throws Exception {
        listen(scheme);
        try (RpcConnection good = connect(scheme)) {
            leavesHalfTheRate(() -> many(8, () -> new Flood(connect(scheme))), () -> echo(good));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aFloodOfMalformedMessagesWhichDoNotFloodTheLog(String scheme) throws Exception {
        listen(scheme);
        try (RpcConnection good = connect(scheme);
                LoggedBy log = LoggedBy.names("org.emplace")) {
            leavesHalfTheRate(
                    () -> new Repeated(scheme.equals("tcp") ? this::badRecord : this::badHeaders), () -> echo(good));
            assertThat(log.messages()).hasSizeLessThan(40);
        }
    }

    /** Each costs a Receive and no credit. */
    @Test
    void aFloodOfMessagesThatAreNoCalls() throws Exception {
        listen("rdma");
        try (RpcConnection good = connect("rdma")) {
            leavesHalfTheRate(() -> many(4, () -> new Repeated(this::doneMessages)), () -> echo(good));
        }
    }

    private void doneMessages() throws IOException {
        try (DeafPeer bad = DeafPeer.connectedTo(address())) {
            for (int xid = 1; xid < 1000; xid++) {
                bad.send(Words.header(xid, 1, 3));
            }
        }
    }

    private void badRecord() throws IOException {
        try (Socket bad = new Socket(address().getAddress(), address().getPort())) {
            bad.getOutputStream().write(record(new Words().and(1, 0)));
            bad.getOutputStream().write(new byte[] {-1, -1, -1, -1});
            bad.getInputStream().read();
        }
    }

    private void badHeaders() throws IOException {
        try (DeafPeer bad = DeafPeer.connectedTo(address())) {
            bad.send(Words.header(1, 1, 7));
            bad.send(Words.header(2, 1, 0).and(1, 9));
            bad.send(new Words().and(3));
        }
    }

    private void listen(String scheme) throws Exception {
        listen(scheme, IDLE);
    }

    private void listen(String scheme, Duration idle) throws Exception {
        RpcTransport transport = scheme.equals("tcp")
                ? new TcpTransport(RuntimeResources.of(Settings.DEFAULT.withTcpMessageMemory(POOL)))
                : device.transport;
        listener = transport.listen(
                URI.create(scheme + "://127.0.0.1:0"), dispatcher, SERVING, new ConnectionLimit(CONNECTIONS, idle));
    }

    private InetSocketAddress address() {
        return Objects.requireNonNull(listener, "listen first").localAddress();
    }

    private RpcConnection connect(String scheme) throws RpcException {
        return Rpc.connect(URI.create(scheme + "://127.0.0.1:" + address().getPort()));
    }

    /** Like a client that tries again if it is refused. */
    private void connectAndCall(String scheme) throws Exception {
        while (true) {
            try (RpcConnection good = connect(scheme)) {
                echo(good);
                return;
            } catch (RpcException refused) {
                assertThat(refused.kind()).isIn(RpcException.Kind.NOT_CONNECTED, RpcException.Kind.DISCONNECTED);
            }
        }
    }

    private static XdrOpaque echo(RpcConnection client) throws Exception {
        return client.call(Blobs.ECHO, XdrOpaque.EMPTY, Destinations.none(), SMALL_REPLY)
                .await();
    }

    private static byte[] record(Words message) {
        ByteBuffer bytes = message.bytes();
        return ByteBuffer.allocate(Integer.BYTES + bytes.remaining())
                .putInt(0x8000_0000 | bytes.remaining())
                .put(bytes)
                .array();
    }

    private static AutoCloseable many(int count, Callable<? extends AutoCloseable> one) throws Exception {
        List<AutoCloseable> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(one.call());
        }
        return () -> {
            for (AutoCloseable each : all) {
                each.close();
            }
        };
    }

    /** Keeps a number of calls in flight. */
    private static final class Flood implements AutoCloseable {
        private static final int CALLS = 8;

        private final RpcConnection connection;
        private volatile boolean over;

        Flood(RpcConnection connection) {
            this.connection = connection;
            for (int i = 0; i < CALLS; i++) {
                next();
            }
        }

        private void next() {
            if (!over && !connection.closed().toCompletableFuture().isDone()) {
                connection
                        .call(Blobs.ECHO, XdrOpaque.EMPTY, Destinations.none(), SMALL_REPLY)
                        .completion()
                        .whenComplete((result, failure) -> next());
            }
        }

        @Override
        public void close() {
            over = true;
            connection.close();
        }
    }

    /** Repeats an action on a thread. */
    private static final class Repeated implements AutoCloseable {
        private final CompletableFuture<Void> ended;
        private volatile boolean over;

        Repeated(Abuse abuse) {
            ended = CompletableFuture.runAsync(() -> repeat(abuse), task -> new Thread(task).start());
        }

        private void repeat(Abuse abuse) {
            while (!over) {
                try {
                    abuse.once();
                } catch (IOException cutOff) {
                    // The server has closed the connection, as expected.
                }
            }
        }

        @Override
        public void close() {
            over = true;
            ended.join();
        }
    }

    @FunctionalInterface
    private interface Abuse {
        void once() throws IOException;
    }
}
