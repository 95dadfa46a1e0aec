// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.RpcServer;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many connections leave nothing behind, however they and their calls end. {@code -Dtest=SoakTest
 * -Dsoak.connections=10000} sets the number of connections. RDMA is software iWARP or, in the lab, verbs.
 */
@Timeout(1800)
final class SoakTest {
    private static final int CONNECTIONS = Integer.getInteger("soak.connections", 300);
    /** The number of connections at a time. */
    private static final int BATCH = 50;

    private static final CallOptions SOON = OPTIONS.withTimeout(Duration.ofMillis(50));
    /** A length that is sent in chunks over RDMA. */
    private static final int LENGTH = 50_000;

    /** What a verbs provider keeps while it is open, to learn of the removal of a device: the thread of its loop. */
    private static final String DEVICE_WATCH = "emplace-verbs";

    private final Queue<WeakReference<RpcConnection>> connections = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void manyConnectionsLeaveNothingBehind(String scheme, TestReporter reporter) throws Exception {
        // Fills pools and loads classes first.
        for (int i = 0; i < 2; i++) {
            useServer(scheme);
        }
        awaitEnd();
        Leftovers before = Leftovers.now();
        reporter.publishEntry(scheme + " before", before.toString());

        for (int used = 0; used < CONNECTIONS; used += BATCH) {
            useServer(scheme);
        }

        awaitEnd();
        awaitDirectBytes(before.directBytes() + (8 << 20));
        Leftovers after = Leftovers.now();
        reporter.publishEntry(scheme + " after " + CONNECTIONS + " connections", after.toString());
        assertThat(after.sockets()).isEqualTo(before.sockets());
        // The JVM occasionally opens a file itself. Files left by connections would be as many as the connections.
        assertThat(after.descriptors()).isLessThan(before.descriptors() + BATCH);
        assertThat(after.gainedSince(before, BATCH)).isEmpty();
    }

    /** Waits until threads have ended and connections can be collected. */
    private void awaitEnd() {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(Leftovers.runtimeThreads()).isSubsetOf(DEVICE_WATCH);
            System.gc();
            connections.removeIf(connection -> connection.get() == null);
            assertThat(connections).isEmpty();
        });
    }

    /** The JVM frees direct memory some time after it has become unreachable. */
    private static void awaitDirectBytes(long most) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            System.gc();
            assertThat(Leftovers.now().directBytes()).isLessThanOrEqualTo(most);
        });
    }

    /**
     * Uses a batch of connections. The clients close half of them; the server ends the others when it is closed with
     * calls in progress.
     */
    private void useServer(String scheme) throws Exception {
        Queue<CompletableFuture<Integer>> late = new ConcurrentLinkedQueue<>();
        RpcServer server = Loopback.serve(scheme, service(late));
        List<RpcConnection> open = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            RpcConnection connection = Loopback.connect(scheme, server);
            open.add(connection);
            connections.add(new WeakReference<>(connection));
        }
        for (int i = 0; i < BATCH; i++) {
            use(open.get(i), i);
        }

        server.close();

        for (RpcConnection connection : open) {
            connection
                    .closed()
                    .handle((orderly, failure) -> true)
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        }
        late.forEach(answer -> answer.complete(0));
    }

    /** Also answers NEVER, when {@code late} completes. */
    private RpcService service(Queue<CompletableFuture<Integer>> late) {
        RpcService echo = EchoProgram.service((value, call) -> {
            connections.add(new WeakReference<>(call.connection()));
            return CompletableFuture.completedFuture(value);
        });
        Map<Long, RpcService.Handler<?, ?>> handlers = new HashMap<>(echo.handlers());
        handlers.put(EchoProgram.NEVER.number(), new RpcService.Handler<>(EchoProgram.NEVER, (value, call) -> {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            late.add(answer);
            return answer;
        }));
        return new RpcService(echo.program(), handlers);
    }

    private static void use(RpcConnection connection, int number) throws Exception {
        awaitAnswers(connection);
        // Some of these have a credit, others wait for one.
        List<RpcCall<Integer>> unanswered = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            unanswered.add(
                    connection.call(EchoProgram.NEVER, number, Destinations.none(), i % 2 == 0 ? OPTIONS : SOON));
        }
        unanswered.get(0).cancel();
        unanswered.get(2).cancel();
        switch (number % 4) {
            case 0 -> connection.close();
            case 1 -> Failures.assertFails(unanswered.get(1)::await, RpcException.Kind.TIMED_OUT);
            case 2 -> {
                // The server may be moving its data, so this may end the connection, too.
                RpcCall<Payload> inFlight = connection.call(EchoProgram.READ, LENGTH, Destinations.none(), OPTIONS);
                inFlight.cancel();
                connection.close();
            }
            default -> {
                // The server ends this one, with calls in progress.
            }
        }
    }

    private static void awaitAnswers(RpcConnection connection) throws Exception {
        List<RpcCall<Integer>> answered = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            answered.add(connection.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS));
        }
        Destination sink = Destination.into(ByteBuffer.allocateDirect(LENGTH));
        RpcCall<Payload> moved = connection.call(
                EchoProgram.MIRROR, Payload.of(EchoProgram.pattern(LENGTH)), Destinations.of(sink), OPTIONS);
        for (int i = 0; i < 8; i++) {
            assertThat(answered.get(i).await()).isEqualTo(i);
        }
        assertThat(moved.await().length()).isEqualTo(LENGTH);
    }
}
