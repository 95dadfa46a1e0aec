// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.address;
import static org.emplace.rpc.Loopback.serve;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's calls survive the loss of its connection, depending on their options. */
@Timeout(120)
final class RecoveryTest {
    private static final CallOptions OPTIONS = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(60));
    private static final ConnectionOptions QUICK = quick(ConnectionOptions.DEFAULT);
    private static final int LAST_FRAGMENT = 0x8000_0000;

    private final Events events = new Events();

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void callWithoutReplyIsResentWithItsXid(String scheme) throws Exception {
        Queue<Integer> xids = new ConcurrentLinkedQueue<>();
        CompletableFuture<Integer> first = new CompletableFuture<>();
        RpcService service = EchoProgram.service((value, call) -> {
            xids.add(call.xid());
            return xids.size() == 1 ? first : CompletableFuture.completedFuture(value);
        });
        try (RpcServer server = serve(scheme, service);
                CuttingProxy proxy = before(server);
                RpcConnection client = client(scheme, proxy, ConnectionOptions.DEFAULT)) {
            RpcCall<Integer> call = client.call(EchoProgram.ECHO, 7, Destinations.none(), OPTIONS);
            await(() -> !xids.isEmpty());

            proxy.cut();

            assertThat(call.await()).isEqualTo(7);
            assertThat(xids).hasSize(2).allMatch(xid -> xid.equals(xids.peek()));
            assertThat(events.resent).containsExactly(xids.peek());
            assertThat(events.lost).hasValue(1);
            assertThat(events.found).hasValue(1);
            first.complete(7);
        }
    }

    /** The second connection carries exactly the same bytes as the first one. */
    @Test
    void callIsResentWithTheSameBytes() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RpcConnection client = Rpc.client(URI.create("tcp://127.0.0.1:" + server.getLocalPort()), QUICK)) {
            RpcCall<Payload> call = client.call(
                    EchoProgram.MIRROR, Payload.of(EchoProgram.pattern(5000)), Destinations.none(), OPTIONS);
            byte[] sentFirst = receiveAndCut(server);
            byte[] sentNext = receiveAndCut(server);
            call.cancel();

            assertFails(call::await, Kind.CANCELLED);
            assertThat(sentNext).isEqualTo(sentFirst).hasSizeGreaterThan(5000);
        }
    }

    private static byte[] receiveAndCut(ServerSocket server) throws IOException {
        try (Socket socket = server.accept()) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            return in.readNBytes(in.readInt() & ~LAST_FRAGMENT);
        }
    }

    /** Connections that end at any byte lose no call and no data. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void dataIsCorrectHoweverOftenConnectionsEnd(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.service());
                CuttingProxy proxy = before(server);
                RpcConnection client = client(scheme, proxy, ConnectionOptions.DEFAULT.withCredits(8))) {
            proxy.cutWithin(600_000, 20);
            proxy.cut();
            for (int round = 0; round < 30; round++) {
                ByteBuffer[] places = new ByteBuffer[8];
                List<RpcCall<Payload>> calls = new ArrayList<>();
                for (int i = 0; i < places.length; i++) {
                    places[i] = ByteBuffer.allocateDirect(1 << 15);
                    Payload sent = Payload.of(EchoProgram.pattern(ByteBuffer.allocateDirect(1 << 15)));
                    Destinations into = Destinations.of(Destination.into(places[i]));
                    calls.add(client.call(EchoProgram.MIRROR, sent, into, OPTIONS));
                }
                for (int i = 0; i < places.length; i++) {
                    assertThat(calls.get(i).await().buffer()).isEqualTo(EchoProgram.pattern(1 << 15));
                    assertThat(places[i]).isEqualTo(EchoProgram.pattern(1 << 15));
                }
            }
            assertThat(proxy.cuts()).isGreaterThan(10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void callWithoutRecoveryFails(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.service());
                CuttingProxy proxy = before(server);
                RpcConnection client = client(scheme, proxy, ConnectionOptions.DEFAULT)) {
            assertThat(echo(client, 2)).isEqualTo(2);
            RpcCall<Integer> call =
                    client.call(EchoProgram.NEVER, 1, Destinations.none(), OPTIONS.withRecovery(Recovery.NEVER));

            proxy.cut();

            assertFails(call::await, Kind.DISCONNECTED);
            assertThat(events.resent).isEmpty();
            assertThat(echo(client, 3)).isEqualTo(3);
        }
    }

    /** ERR_CHUNK means that the call is longer than the server accepts; a resent call would have the same length. */
    @Test
    void callAnsweredWithErrChunkIsNotResent() throws Exception {
        try (RpcServer server = Loopback.builder("rdma", EchoProgram.service())
                        .options(ConnectionOptions.DEFAULT.withMaxMessage(100_000))
                        .start();
                CuttingProxy proxy = before(server);
                RpcConnection client = client("rdma", proxy, ConnectionOptions.DEFAULT)) {
            Payload tooLong = Payload.of(EchoProgram.pattern(200_000));
            RpcCall<Payload> call = client.call(EchoProgram.MIRROR, tooLong, Destinations.none(), OPTIONS);

            assertFails(call::await, Kind.CHUNK_ERROR).hasMessageContaining("ERR_CHUNK");
            assertThat(events.resent).isEmpty();
            assertThat(events.lost).hasValue(0);
            assertThat(echo(client, 3)).isEqualTo(3);
        }
    }

    /** A soft call waits for an unreachable server until its timeout, a hard one without limit. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void serverMayBeUnreachableAsLongAsTheCallsWait(String scheme) throws Exception {
        RpcServer before = serve(scheme, EchoProgram.service());
        URI address = address(scheme, before);
        try (RpcConnection client = client(address)) {
            before.close();
            CallOptions brief = OPTIONS.withTimeout(Duration.ofMillis(300));
            RpcCall<Integer> hard =
                    client.call(EchoProgram.ECHO, 1, Destinations.none(), brief.withRecovery(Recovery.HARD));
            RpcCall<Integer> soft = client.call(EchoProgram.ECHO, 2, Destinations.none(), brief);

            assertFails(soft::await, Kind.TIMED_OUT)
                    .hasMessageContaining("ECHO: no reply within 300 ms; no connection: ")
                    .hasMessageContaining(address.toString());
            await(() -> events.failed.get() > 1);
            try (RpcServer after = RpcServer.builder()
                    .service(EchoProgram.service())
                    .listen(address)
                    .start()) {
                assertThat(hard.await()).isEqualTo(1);
                assertThat(address(scheme, after)).isEqualTo(address);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void callsThatWaitForAConnectionCanBeCancelled(String scheme) throws Exception {
        RpcServer server = serve(scheme, EchoProgram.service());
        RpcConnection client = client(address(scheme, server));
        server.close();
        CallOptions hard = OPTIONS.withRecovery(Recovery.HARD);
        RpcCall<Integer> cancelled = client.call(EchoProgram.ECHO, 1, Destinations.none(), hard);
        RpcCall<Integer> closed = client.call(EchoProgram.ECHO, 2, Destinations.none(), hard);
        await(() -> events.failed.get() > 0);

        cancelled.cancel();
        assertFails(cancelled::await, Kind.CANCELLED);
        Thread.currentThread().interrupt();
        RpcCall<Integer> interrupted = client.call(EchoProgram.ECHO, 3, Destinations.none(), hard);
        assertThatThrownBy(interrupted::await).isInstanceOf(InterruptedException.class);
        assertFails(interrupted::await, Kind.CANCELLED);
        client.close();
        assertFails(closed::await, Kind.DISCONNECTED).hasMessageContaining("closed by this side");
        client.closed().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertFails(client.call(EchoProgram.ECHO, 4, Destinations.none(), hard)::await, Kind.DISCONNECTED);
    }

    /** A connection without replies is closed within the time limit, unless the server is only slow. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void vanishedPeerIsDetectedAndABusyOneIsNotAffected(String scheme) throws Exception {
        AtomicInteger slow = new AtomicInteger();
        RpcService service = EchoProgram.service((value, call) -> {
            if (value == 1) {
                slow.incrementAndGet();
                Thread.sleep(5000);
            }
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer server = Loopback.builder(scheme, service).threads(1).start();
                CuttingProxy proxy = before(server);
                RpcConnection client =
                        client(scheme, proxy, ConnectionOptions.DEFAULT.withKeepAlive(Duration.ofSeconds(3)))) {
            assertThat(echo(client, 2)).isEqualTo(2);
            assertThat(echo(client, 1)).isEqualTo(1);
            assertThat(slow).hasValue(1);
            assertThat(events.lost).hasValue(0);

            proxy.silence();
            assertThat(echo(client, 2)).isEqualTo(2);
            assertThat(events.lost).hasValue(1);
        }
    }

    /** On a new connection of RPC-over-RDMA, the call holds the only credit: there is none for procedure 0. */
    @Test
    void vanishedPeerIsDetectedWithoutACredit() throws Exception {
        try (RpcServer server = serve("rdma", EchoProgram.service());
                CuttingProxy proxy = before(server);
                RpcConnection client = client(
                        "rdma",
                        proxy,
                        ConnectionOptions.DEFAULT
                                .withKeepAlive(Duration.ofSeconds(3))
                                .withConnectTimeout(Duration.ofSeconds(1)))) {
            proxy.silence();
            proxy.silenceFurther(true);
            RpcCall<Integer> call = client.call(EchoProgram.ECHO, 2, Destinations.none(), OPTIONS);

            await(() -> events.lost.get() == 1);
            proxy.silenceFurther(false);
            assertThat(call.await()).isEqualTo(2);
        }
    }

    /** A client's timers end when it is closed, whether it is connected or not. */
    @Test
    void closedClientLeavesNoTasks() throws Exception {
        RpcServer server = serve("tcp", EchoProgram.service());
        try (CuttingProxy proxy = before(server)) {
            RpcConnection connected = client("tcp", proxy, ConnectionOptions.DEFAULT);
            echo(connected, 1);
            ConnectionOptions slow = ConnectionOptions.DEFAULT.withDelays(Duration.ofMinutes(1), Duration.ofMinutes(1));
            RpcConnection without = Rpc.client(proxy.address("tcp"), slow.withRecoveryObserver(events));
            server.close();
            RpcCall<Integer> unsent = without.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            await(() -> events.lost.get() > 0);

            connected.close();
            without.close();

            assertFails(unsent::await, Kind.DISCONNECTED);
            await(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("emplace-timer")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void observerGetsTheCauseOfALoss(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.service());
                CuttingProxy proxy = before(server);
                RpcConnection client = client(scheme, proxy, ConnectionOptions.DEFAULT)) {
            assertThat(echo(client, 1)).isEqualTo(1);

            proxy.cut();

            await(() -> events.lost.get() == 1);
            assertThat(events.reasons)
                    .singleElement()
                    .asString()
                    .contains("onnection")
                    .doesNotContain("this side");
        }
    }

    /** Recovery continues whatever an observer throws. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void observerThatThrowsDoesNotAffectRecovery(String scheme) throws Exception {
        RecoveryObserver broken = new RecoveryObserver() {
            @Override
            public void disconnected(URI address, String why) {
                throw new IllegalStateException("as the test wants it");
            }

            @Override
            public void reconnected(URI address, RpcClient client) {
                throw new IllegalStateException("as the test wants it");
            }

            @Override
            public void resent(Procedure<?, ?> procedure, int xid) {
                throw new IllegalStateException("as the test wants it");
            }
        };
        AtomicInteger calls = new AtomicInteger();
        RpcService service = EchoProgram.service((value, call) ->
                calls.incrementAndGet() == 1 ? new CompletableFuture<>() : CompletableFuture.completedFuture(value));
        try (RpcServer server = serve(scheme, service);
                CuttingProxy proxy = before(server);
                RpcConnection client = Rpc.client(proxy.address(scheme), QUICK.withRecoveryObserver(broken))) {
            RpcCall<Integer> call = client.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            await(() -> calls.get() == 1);

            proxy.cut();

            assertThat(call.await()).isEqualTo(1);
        }
    }

    /** A timeout beyond the range of the clock means no timeout. */
    @Test
    void timeoutMayBeLongerThanTheRangeOfTheClock() throws Exception {
        RpcServer server = serve("tcp", EchoProgram.service());
        try (RpcConnection client = client(address("tcp", server))) {
            server.close();
            RpcCall<Integer> call = client.call(
                    EchoProgram.ECHO, 1, Destinations.none(), OPTIONS.withTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
            await(() -> events.failed.get() > 0);
            call.cancel();
            assertFails(call::await, Kind.CANCELLED);
        }
    }

    /** The server can call the client's services over the next connection, too. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void clientServesOverEachConnection(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.callingBack());
                CuttingProxy proxy = before(server);
                RpcClient client = client(scheme, proxy, ConnectionOptions.DEFAULT)) {
            client.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));
            assertThat(echo(client, 1)).isEqualTo(2);

            proxy.cut();

            await(() -> events.found.get() == 1);
            assertThat(echo(client, 5)).isEqualTo(6);
        }
    }

    private static int echo(RpcConnection client, int value) throws RpcException, InterruptedException {
        return client.call(EchoProgram.ECHO, value, Destinations.none(), OPTIONS)
                .await();
    }

    private static CuttingProxy before(RpcServer server) throws IOException {
        return new CuttingProxy(server.addresses().get(0).getPort());
    }

    private static ConnectionOptions quick(ConnectionOptions options) {
        return options.withDelays(Duration.ofMillis(10), Duration.ofMillis(200));
    }

    private RpcClient client(String scheme, CuttingProxy proxy, ConnectionOptions options) throws RpcException {
        return Rpc.client(proxy.address(scheme), quick(options).withRecoveryObserver(events));
    }

    /** Connects to the server directly: a proxy would accept connections while the server is unreachable. */
    private RpcClient client(URI server) throws RpcException {
        return Rpc.client(server, QUICK.withRecoveryObserver(events));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    private static final class Events implements RecoveryObserver {
        private final AtomicInteger lost = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger found = new AtomicInteger();
        private final Queue<Integer> resent = new ConcurrentLinkedQueue<>();
        private final Queue<String> reasons = new ConcurrentLinkedQueue<>();

        @Override
        public void disconnected(URI address, String why) {
            reasons.add(why);
            lost.incrementAndGet();
        }

        @Override
        public void notConnected(URI address, RpcException failure) {
            failed.incrementAndGet();
        }

        @Override
        public void reconnected(URI address, RpcClient client) {
            found.incrementAndGet();
        }

        @Override
        public void resent(Procedure<?, ?> procedure, int xid) {
            resent.add(xid);
        }
    }
}
