// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.CallQueue;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each failed call has the {@link Kind} of its failure, and affects nothing else. */
@Timeout(60)
final class CallFailuresTest {
    private static final CallOptions SHORT = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(100));

    private RpcServer server;
    private RpcConnection connection;

    @BeforeEach
    void connect() throws RpcException {
        server = Loopback.serve(EchoProgram.service());
        connection = Loopback.connect(server);
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    @Test
    void aProcedureThatThrowsIsASystemError() {
        assertFails(() -> call(EchoProgram.THROW, 1).await(), Kind.SYSTEM_ERROR);
    }

    @Test
    void resultsThatExhaustTheStackAreASystemError() throws Exception {
        Procedure<Integer, Integer> echo = EchoProgram.ECHO;
        XdrCodec<Integer> tooDeep = new XdrCodec<>(
                (out, value) -> {
                    throw new StackOverflowError("as the test wants it");
                },
                echo.results().reader());
        Procedure<Integer, Integer> broken =
                Procedure.of(echo.program(), echo.number(), echo.name(), echo.arguments(), tooDeep, echo.binding());
        RpcService service = RpcService.builder(EchoProgram.PROGRAM)
                .handle(broken, (value, call) -> value)
                .build();
        try (RpcServer failing = Loopback.serve(service);
                RpcConnection caller = Loopback.connect(failing)) {
            assertFails(
                    () -> caller.call(echo, 1, Destinations.none(), Loopback.OPTIONS)
                            .await(),
                    Kind.SYSTEM_ERROR);
        }
    }

    @Test
    void aMissingProcedureProgramOrVersionIsNamed() {
        Procedure<Integer, Integer> echo = EchoProgram.ECHO;
        assertFails(() -> call(EchoProgram.UNSERVED, 1).await(), Kind.PROCEDURE_UNAVAILABLE);
        assertFails(() -> call(of(99, 3, echo), 1).await(), Kind.PROGRAM_UNAVAILABLE);
        assertFails(() -> call(of(EchoProgram.PROGRAM.number(), 4, echo), 1).await(), Kind.PROGRAM_MISMATCH)
                .hasMessageContaining("in versions 3 to 3, not 4");
    }

    @Test
    void argumentsThatCannotBeDecodedAreGarbage() {
        Procedure<Payload, Payload> asEcho = Procedure.of(
                EchoProgram.PROGRAM,
                EchoProgram.ECHO.number(),
                "ECHO",
                EchoProgram.MIRROR.arguments(),
                EchoProgram.MIRROR.results(),
                EchoProgram.MIRROR.binding());

        assertFails(() -> call(asEcho, Payload.of(ByteBuffer.allocate(8))).await(), Kind.GARBAGE_ARGS);
    }

    @Test
    void aMalformedAuthSysCredentialIsRejected() {
        CallOptions broken = OPTIONS.withAuth(new RawAuth(1, 8));

        assertFails(
                        () -> connection
                                .call(EchoProgram.ECHO, 1, Destinations.none(), broken)
                                .await(),
                        Kind.AUTHENTICATION)
                .hasMessageContaining("AUTH_BADCRED");
    }

    @Test
    void anUnknownFlavorIsRejectedBeforeAnyOtherWork() throws Exception {
        CallOptions unknown = OPTIONS.withAuth(new RawAuth(77, 0));
        AtomicInteger answered = new AtomicInteger();
        RpcService counting = EchoProgram.service((value, call) -> {
            answered.incrementAndGet();
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer own = Loopback.serve(counting);
                RpcConnection caller = Loopback.connect(own)) {
            for (Procedure<Integer, Integer> procedure :
                    List.of(EchoProgram.ECHO, EchoProgram.NULL, of(99, 3, EchoProgram.ECHO))) {
                assertFails(
                                () -> caller.call(procedure, 1, Destinations.none(), unknown)
                                        .await(),
                                Kind.AUTHENTICATION)
                        .hasMessageContaining("AUTH_REJECTEDCRED");
            }
            assertThat(answered).hasValue(0);
        }
    }

    @Test
    void anUnansweredCallTimesOutWithoutEndingTheConnection() throws Exception {
        assertFails(
                        () -> connection
                                .call(EchoProgram.NEVER, 1, Destinations.none(), SHORT)
                                .await(),
                        Kind.TIMED_OUT)
                .hasMessageMatching("tcp://.* xid 0x[0-9a-f]{8} NEVER: no reply within 100 ms");

        assertThat(call(EchoProgram.ECHO, 7).await()).isEqualTo(7);
    }

    @Test
    void aCancelledCallFailsAsCancelled() {
        RpcCall<Integer> call = call(EchoProgram.NEVER, 1);

        call.cancel();

        assertFails(call::await, Kind.CANCELLED);
    }

    @Test
    void cancellingAFutureMadeFromACallDoesNotAffectTheCall() throws Exception {
        RpcCall<Integer> call = call(EchoProgram.ECHO, 3);

        call.completion().toCompletableFuture().cancel(true);

        assertThat(call.await()).isEqualTo(3);
    }

    @Test
    void callsThatTimeOutReleaseTheirCredits() throws Exception {
        try (RpcConnection narrow = Loopback.connect(server, ConnectionOptions.DEFAULT.withCredits(1))) {
            RpcCall<Integer> stuck = narrow.call(EchoProgram.NEVER, 1, Destinations.none(), SHORT);
            RpcCall<Integer> next = narrow.call(EchoProgram.ECHO, 2, Destinations.none(), OPTIONS);

            assertThat(next.await()).isEqualTo(2);
            assertFails(stuck::await, Kind.TIMED_OUT);
        }
    }

    @Test
    void theNumberOfCallsThatWaitForACreditIsBounded() throws Exception {
        try (RpcConnection narrow = Loopback.connect(server, ConnectionOptions.DEFAULT.withCredits(1))) {
            for (int i = 0; i < 1 + CallQueue.LIMIT; i++) {
                narrow.call(EchoProgram.NEVER, 1, Destinations.none(), OPTIONS);
            }

            assertFails(
                            () -> narrow.call(EchoProgram.NEVER, 1, Destinations.none(), OPTIONS)
                                    .await(),
                            Kind.QUEUE_FULL)
                    .hasMessageContaining("wait for some to complete");
        }
    }

    @Test
    void callsInFlightFailAndTheConnectionEndsWithTheServer() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        RpcServer silent = Loopback.serve(EchoProgram.service((value, call) -> {
            arrived.countDown();
            return new CompletableFuture<>();
        }));
        try (RpcConnection caller = Loopback.connect(silent)) {
            RpcCall<Integer> call = caller.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            arrived.await();

            silent.close();

            assertFails(call::await, Kind.DISCONNECTED);
            assertThat(caller.closed()).failsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    void aCallOnAClosedConnectionFailsAtOnce() {
        connection.close();

        assertFails(() -> call(EchoProgram.ECHO, 1).await(), Kind.DISCONNECTED);
        assertThat(connection.closed()).succeedsWithin(Duration.ofSeconds(20));
    }

    private static <A, R> Procedure<A, R> of(long program, long version, Procedure<A, R> like) {
        return Procedure.of(
                RpcProgram.of("OTHER", program, version),
                like.number(),
                like.name(),
                like.arguments(),
                like.results(),
                like.binding());
    }

    private <A, R> RpcCall<R> call(Procedure<A, R> procedure, A arguments) {
        return connection.call(procedure, arguments, Destinations.none(), OPTIONS);
    }
}
