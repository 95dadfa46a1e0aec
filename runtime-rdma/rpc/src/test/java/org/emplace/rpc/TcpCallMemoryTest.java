// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.Rpc;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls over TCP hold memory from the arrival of their first bytes until they have been answered. The peers share it. */
@Timeout(60)
final class TcpCallMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int LIMIT = 8 * MIB;
    private static final int LONGEST = 4 * MIB;
    private static final Payload SHORT = Payload.of(EchoProgram.pattern(15 * 1024));

    private final AtomicInteger running = new AtomicInteger();
    private final CompletableFuture<Payload> answer = new CompletableFuture<>();
    private final ServiceDispatcher dispatcher =
            ServiceDispatcher.forManyPeers(4, 0, 0, ServerObserver.NONE, Timekeeper.system("timer"));
    private Listener listener;

    @BeforeEach
    void listen() throws RpcException {
        dispatcher.add(RpcService.builder(EchoProgram.PROGRAM)
                .handleAsync(EchoProgram.MIRROR, (data, call) -> {
                    running.incrementAndGet();
                    return answer;
                })
                .build());
        ConnectionOptions options =
                ConnectionOptions.DEFAULT.withMaxMessage(LONGEST).withCredits(64);
        listener = Loopback.tcp(LIMIT).listen(Loopback.ANY_PORT, dispatcher, options, new ConnectionLimit(100));
    }

    @AfterEach
    void close() {
        listener.close();
        dispatcher.close();
    }

    @Test
    void recordsThatAreNotCompletedHoldOnlyTheirPeersShare() throws Exception {
        answer.complete(Payload.of(EchoProgram.pattern(0)));
        long before = heap();
        try (IncompleteRecords bad = new IncompleteRecords("127.0.0.2", listener.localAddress(), 32, LONGEST);
                RpcConnection good = connect()) {
            assertThat(bad).isNotNull();
            // One record may exceed the share, and what has been read of others while they wait is kept.
            assertThat(heap() - before).isLessThan(3 * LIMIT);
            assertThat(mirror(good, MIB / 2).await().length()).isZero();
        }
    }

    @Test
    void shortCallsThatAreNotAnsweredHoldOnlyTheirPeersShare() throws Exception {
        List<RpcConnection> connections = new ArrayList<>();
        long before = heap();
        for (int i = 0; i < 40; i++) {
            RpcConnection connection = connect();
            connections.add(connection);
            for (int call = 0; call < 64; call++) {
                // All calls share these bytes, so only the server holds copies of them.
                connection.call(EchoProgram.MIRROR, SHORT, Destinations.none(), Loopback.OPTIONS);
            }
        }
        awaitStandstill();

        assertThat(heap() - before).isLessThan(3 * LIMIT);
        answer.complete(Payload.of(EchoProgram.pattern(0)));
        await().until(() -> running.get() == 40 * 64);
        connections.forEach(RpcConnection::close);
    }

    /** Waits until no further calls arrive. */
    private void awaitStandstill() throws InterruptedException {
        for (int before = -1; before != running.get(); ) {
            before = running.get();
            Thread.sleep(300);
        }
    }

    @Test
    void recordsThatTogetherNeedMoreThanThereIsDoNotWaitForOneAnotherForever() throws Exception {
        answer.complete(Payload.of(EchoProgram.pattern(0)));
        List<RpcConnection> connections = new ArrayList<>();
        List<RpcCall<Payload>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            connections.add(connect());
        }
        for (int round = 0; round < 4; round++) {
            for (RpcConnection connection : connections) {
                calls.add(mirror(connection, 3 * MIB));
            }
        }

        for (RpcCall<Payload> call : calls) {
            assertThat(call.await().length()).isZero();
        }
        connections.forEach(RpcConnection::close);
    }

    @Test
    void callsHoldMemoryUntilTheyHaveBeenAnswered() throws Exception {
        try (RpcConnection first = connect();
                RpcConnection second = connect()) {
            List<RpcCall<Payload>> calls = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                calls.add(mirror(i % 2 == 0 ? first : second, MIB));
            }
            // One address may hold seven eighths of the memory, and one connection may borrow another LONGEST.
            await().until(() -> running.get() >= 7);

            assertThat(running).hasValueLessThan(12);
            answer.complete(Payload.of(EchoProgram.pattern(0)));

            for (RpcCall<Payload> call : calls) {
                assertThat(call.await().length()).isZero();
            }
        }
    }

    private RpcConnection connect() throws RpcException {
        InetSocketAddress address = listener.localAddress();
        return Rpc.connect(URI.create("tcp://127.0.0.1:" + address.getPort()));
    }

    private static RpcCall<Payload> mirror(RpcConnection connection, int length) {
        return connection.call(
                EchoProgram.MIRROR, Payload.of(EchoProgram.pattern(length)), Destinations.none(), Loopback.OPTIONS);
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
