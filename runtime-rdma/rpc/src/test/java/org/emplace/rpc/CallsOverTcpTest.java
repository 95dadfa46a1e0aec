// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over TCP, as client and service see them. */
@Timeout(60)
class CallsOverTcpTest {
    private final Queue<CallReport> reports = new ConcurrentLinkedQueue<>();
    private RpcServer server;
    private RpcConnection connection;

    @BeforeEach
    void connect() throws RpcException {
        server = Loopback.serve(EchoProgram.service());
        connection = Loopback.connect(server, ConnectionOptions.DEFAULT.withObserver(reports::add));
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    @Test
    void aCallGetsItsResult() throws Exception {
        assertThat(call(EchoProgram.ECHO, 42).await()).isEqualTo(42);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 4095, 3_000_001})
    void payloadsOfAnyLengthAreSentInBothDirections(int size) throws Exception {
        ByteBuffer sent = EchoProgram.pattern(size);

        Payload received = call(EchoProgram.MIRROR, Payload.of(sent)).await();

        assertThat(received.buffer()).isEqualTo(sent);
    }

    @Test
    void payloadsAndDestinationsMayHaveSeveralBuffers() throws Exception {
        ByteBuffer sent = EchoProgram.pattern(10_001);
        ByteBuffer first = ByteBuffer.allocate(3);
        ByteBuffer second = ByteBuffer.allocateDirect(9000);
        ByteBuffer third = ByteBuffer.allocate(2000);
        Payload pieces = Payload.of(sent.slice(0, 1), sent.slice(1, 6000), sent.slice(6001, 4000));

        Payload received = connection
                .call(EchoProgram.MIRROR, pieces, Destinations.of(Destination.into(first, second, third)), OPTIONS)
                .await();

        assertThat(received.pieceCount()).isEqualTo(3);
        assertThat(received.buffer()).isEqualTo(sent);
        assertThat(first).isEqualTo(sent.slice(0, 3));
        assertThat(second).isEqualTo(sent.slice(3, 9000));
        assertThat(third.slice(0, 998)).isEqualTo(sent.slice(9003, 998));
        assertFails(
                connection.call(
                        EchoProgram.MIRROR,
                        pieces,
                        Destinations.of(Destination.into(ByteBuffer.allocate(10_000), ByteBuffer.allocate(0))),
                        OPTIONS)::await,
                Kind.BAD_REPLY);
    }

    @Test
    void aDependentStageMayWaitForAnotherCallOverTheSameConnection() throws Exception {
        CountDownLatch hung = new CountDownLatch(1);
        try (RpcServer slow = Loopback.serve(EchoProgram.heldBy(hung));
                RpcConnection caller = Loopback.connect(slow)) {
            CompletionStage<Integer> sum = caller.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS)
                    .completion()
                    .thenApply(one -> one + awaited(caller.call(EchoProgram.ECHO, 2, Destinations.none(), OPTIONS)));
            hung.countDown();

            assertThat(sum).succeedsWithin(Duration.ofSeconds(15)).isEqualTo(3);
        }
    }

    @Test
    void theThreadThatWaitsForACallCompletesIt() throws Exception {
        Thread waiting = Thread.currentThread();
        RpcService onceWaitedFor = EchoProgram.service((value, call) -> {
            while (waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            return CompletableFuture.completedFuture(value);
        });
        Queue<Thread> completing = new ConcurrentLinkedQueue<>();
        ConnectionOptions observed =
                ConnectionOptions.DEFAULT.withObserver(report -> completing.add(Thread.currentThread()));
        try (RpcServer slow = Loopback.serve(onceWaitedFor);
                RpcConnection caller = Loopback.connect(slow, observed)) {
            echo(caller, 1);
        }

        assertThat(completing).containsExactly(waiting);
    }

    @Test
    void aResultIsCopiedOnceIntoItsDestination() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(5000).position(100);

        Payload received = connection
                .call(EchoProgram.READ, 4000, Destinations.of(Destination.into(memory)), OPTIONS)
                .await();

        assertThat(memory.slice(100, 4000)).isEqualTo(EchoProgram.pattern(4000)).isEqualTo(received.buffer());
        assertThat(memory.position()).isEqualTo(100);
        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.copies()).isEqualTo(1);
            assertThat(report.copiedBytes()).isEqualTo(4000);
            assertThat(report.inlineBytes()).isGreaterThan(4000);
            assertThat(report.succeeded()).isTrue();
        });
    }

    @Test
    void aResultLongerThanItsDestinationIsABadReply() {
        Destination small = Destination.into(ByteBuffer.allocate(99));

        assertFails(
                        () -> connection
                                .call(EchoProgram.READ, 100, Destinations.of(small), OPTIONS)
                                .await(),
                        Kind.BAD_REPLY)
                .hasMessageContaining("100 bytes")
                .hasMessageContaining("room for only 99");
    }

    @Test
    void manyCallsInFlightGetTheirOwnResults() throws Exception {
        List<RpcCall<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            calls.add(call(EchoProgram.ECHO, i));
        }

        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i).await()).isEqualTo(i);
        }
    }

    @Test
    void theServerSeesTheCaller() throws Exception {
        AuthSys root = new AuthSys(1, XdrString.of("host"), 0, 0, XdrUnsignedInts.of(4, 24));
        Queue<Principal> seen = new ConcurrentLinkedQueue<>();
        RpcService observing = EchoProgram.service((value, call) -> {
            seen.add(call.caller());
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer own = Loopback.serve(observing);
                RpcConnection caller = Loopback.connect(own)) {
            caller.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS.withAuth(root))
                    .await();
            echo(caller, 2);
        }

        assertThat(seen).containsExactly(root, AuthNone.INSTANCE);
    }

    @Test
    void theServerCallsTheClientOverTheSameConnection() throws Exception {
        try (RpcServer calling = Loopback.serve(EchoProgram.callingBack());
                RpcClient called = Loopback.connect(calling)) {
            called.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));

            assertThat(echo(called, 10)).isEqualTo(11);
        }
    }

    @Test
    void aPayloadOfTheArgumentsCannotBeUsedAfterTheReply() throws Exception {
        CompletableFuture<Payload> kept = new CompletableFuture<>();
        RpcService keeping = RpcService.builder(EchoProgram.PROGRAM)
                .handle(EchoProgram.MIRROR, (data, call) -> {
                    kept.complete(data);
                    return data;
                })
                .build();
        try (RpcServer server = Loopback.serve(keeping);
                RpcConnection caller = Loopback.connect(server)) {
            caller.call(EchoProgram.MIRROR, Payload.of(EchoProgram.pattern(10)), Destinations.none(), OPTIONS)
                    .await();

            // The reply may have arrived before the server's thread has finished.
            Awaitility.await()
                    .untilAsserted(() -> assertThatExceptionOfType(IllegalStateException.class)
                            .isThrownBy(() -> kept.join().buffer()));
        }
    }

    private <A, R> RpcCall<R> call(Procedure<A, R> procedure, A arguments) {
        return connection.call(procedure, arguments, Destinations.none(), OPTIONS);
    }

    private static <T> T awaited(RpcCall<T> call) {
        try {
            return call.await();
        } catch (RpcException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }
}
