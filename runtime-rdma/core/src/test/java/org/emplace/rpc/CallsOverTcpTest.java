// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CallsOverTcpTest {
    private static final CallOptions OPTIONS = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(20));
    private static final CallOptions SHORT = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(100));

    private final Queue<CallReport> reports = new ConcurrentLinkedQueue<>();
    private RpcServer server;
    private RpcConnection connection;

    @BeforeEach
    void connect() throws RpcException {
        server = serve(EchoProgram.service());
        connection = connect(server, ConnectionOptions.DEFAULT.withObserver(reports::add));
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
    void payloadsGoBothWaysWhateverTheirLength(int size) throws Exception {
        ByteBuffer sent = EchoProgram.pattern(size);

        Payload received = call(EchoProgram.MIRROR, Payload.of(sent)).await();

        assertThat(received.buffer()).isEqualTo(sent);
    }

    @Test
    void whatHangsOnACallMayWaitForAnotherOverTheSameConnection() throws Exception {
        CountDownLatch hung = new CountDownLatch(1);
        RpcService late = EchoProgram.service((value, call) -> {
            hung.await();
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer slow = serve(late);
                RpcConnection caller = connect(slow, ConnectionOptions.DEFAULT)) {
            CompletionStage<Integer> sum = caller.call(EchoProgram.ECHO, 1, List.of(), OPTIONS)
                    .completion()
                    .thenApply(one -> one + awaited(caller.call(EchoProgram.ECHO, 2, List.of(), OPTIONS)));
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
        try (RpcServer slow = serve(onceWaitedFor);
                RpcConnection caller = connect(slow, observed)) {
            caller.call(EchoProgram.ECHO, 1, List.of(), OPTIONS).await();
        }

        assertThat(completing).containsExactly(waiting);
    }

    @Test
    void aResultEndsInItsDestinationByOneCopy() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(5000).position(100);

        Payload received = connection
                .call(EchoProgram.READ, 4000, List.of(Destination.into(memory)), OPTIONS)
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
                                .call(EchoProgram.READ, 100, List.of(small), OPTIONS)
                                .await(),
                        Kind.BAD_REPLY)
                .hasMessageContaining("100 bytes")
                .hasMessageContaining("holds 99");
    }

    @Test
    void manyCallsAreInFlightAtATimeAndGetTheirOwnResults() throws Exception {
        List<RpcCall<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            calls.add(call(EchoProgram.ECHO, i));
        }

        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i).await()).isEqualTo(i);
        }
    }

    @Test
    void anUnansweredCallTimesOutAndTheConnectionLives() throws Exception {
        assertFails(
                        () -> connection
                                .call(EchoProgram.NEVER, 1, List.of(), SHORT)
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
    void cancellingAFutureMadeFromACallDoesNotTouchTheCall() throws Exception {
        RpcCall<Integer> call = call(EchoProgram.ECHO, 3);

        call.completion().toCompletableFuture().cancel(true);

        assertThat(call.await()).isEqualTo(3);
    }

    @Test
    void callsThatTimeOutGiveTheirPlaceToOthers() throws Exception {
        try (RpcConnection narrow = connect(server, ConnectionOptions.DEFAULT.withCredits(1))) {
            RpcCall<Integer> stuck = narrow.call(EchoProgram.NEVER, 1, List.of(), SHORT);
            RpcCall<Integer> next = narrow.call(EchoProgram.ECHO, 2, List.of(), OPTIONS);

            assertThat(next.await()).isEqualTo(2);
            assertFails(stuck::await, Kind.TIMED_OUT);
        }
    }

    @Test
    void aProcedureThatThrowsIsASystemError() {
        assertFails(() -> call(EchoProgram.THROW, 1).await(), Kind.SYSTEM_ERROR);
    }

    @Test
    void aMissingProcedureProgramOrVersionIsNamed() {
        Procedure<Integer, Integer> echo = EchoProgram.ECHO;
        assertFails(() -> call(EchoProgram.UNSERVED, 1).await(), Kind.PROCEDURE_UNAVAILABLE);
        assertFails(() -> call(of(99, 3, echo), 1).await(), Kind.PROGRAM_UNAVAILABLE);
        assertFails(() -> call(of(EchoProgram.PROGRAM, 4, echo), 1).await(), Kind.PROGRAM_MISMATCH)
                .hasMessageContaining("in versions 3 to 3, not 4");
    }

    @Test
    void argumentsThatDoNotDecodeAreGarbage() {
        Procedure<Payload, Payload> asEcho = new Procedure<>(
                EchoProgram.PROGRAM,
                EchoProgram.VERSION,
                EchoProgram.ECHO.number(),
                "ECHO",
                EchoProgram.MIRROR.arguments(),
                EchoProgram.MIRROR.results(),
                EchoProgram.MIRROR.binding());

        assertFails(() -> call(asEcho, Payload.of(ByteBuffer.allocate(8))).await(), Kind.GARBAGE_ARGS);
    }

    @Test
    void theServerSeesWhoCalls() throws Exception {
        Credential.Sys root = new Credential.Sys(1, XdrString.of("host"), 0, 0, List.of(4L, 24L));
        Credential unknown = new Credential.Other(77, XdrOpaque.of((byte) 1, (byte) 2));
        CompletableFuture<Credential> seen = new CompletableFuture<>();
        CompletableFuture<Credential> seenNext = new CompletableFuture<>();
        try (RpcServer observing = serve(EchoProgram.service((value, call) -> {
                    (value == 1 ? seen : seenNext).complete(call.credential());
                    return CompletableFuture.completedFuture(value);
                }));
                RpcConnection caller = connect(observing, ConnectionOptions.DEFAULT)) {
            caller.call(EchoProgram.ECHO, 1, List.of(), OPTIONS.withCredential(root))
                    .await();
            caller.call(EchoProgram.ECHO, 2, List.of(), OPTIONS.withCredential(unknown))
                    .await();
        }

        assertThat(seen).isCompletedWithValue(root);
        assertThat(seenNext).isCompletedWithValue(unknown);
    }

    @Test
    void aBrokenAuthSysCredentialIsRefused() {
        CallOptions broken = OPTIONS.withCredential(new Credential.Other(1, XdrOpaque.of(new byte[8])));

        assertFails(
                        () -> connection
                                .call(EchoProgram.ECHO, 1, List.of(), broken)
                                .await(),
                        Kind.AUTHENTICATION)
                .hasMessageContaining("AUTH_BADCRED");
    }

    @Test
    void theEndOfTheServerFailsCallsInFlightAndTheConnectionSaysSo() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        RpcServer silent = serve(EchoProgram.service((value, call) -> {
            arrived.countDown();
            return new CompletableFuture<>();
        }));
        try (RpcConnection caller = connect(silent, ConnectionOptions.DEFAULT)) {
            RpcCall<Integer> call = caller.call(EchoProgram.ECHO, 1, List.of(), OPTIONS);
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

    @Test
    void aProcedureThatIsAnsweredAtOnceKeepsTheThreadThatReceivesCalls() throws Exception {
        Queue<Thread> answering = new ConcurrentLinkedQueue<>();
        RpcService service = EchoProgram.service((value, call) -> {
            answering.add(Thread.currentThread());
            return CompletableFuture.completedFuture(value + 1);
        });
        try (RpcServer prompt = serve(service.answeringAtOnce(EchoProgram.ECHO));
                RpcConnection caller = connect(prompt, ConnectionOptions.DEFAULT)) {
            for (int i = 0; i < 10; i++) {
                assertThat(caller.call(EchoProgram.ECHO, i, List.of(), OPTIONS).await())
                        .isEqualTo(i + 1);
            }

            assertThat(answering)
                    .hasSize(10)
                    .containsOnly(answering.element())
                    .noneMatch(thread -> thread.getName().equals("emplace-rpc-server"));
        }
    }

    @Test
    void aCallThatIsAnsweredAtOnceDoesNotWaitForThoseThatHoldTheServersThreads() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcService mixed = RpcService.builder("MIXED", EchoProgram.PROGRAM, EchoProgram.VERSION)
                .answer(EchoProgram.THROW, (value, call) -> {
                    release.await();
                    return value;
                })
                .answer(EchoProgram.ECHO, (value, call) -> value)
                .build()
                .answeringAtOnce(EchoProgram.ECHO);
        try (RpcServer narrow = RpcServer.builder()
                        .service(mixed)
                        .threads(1)
                        .listen(URI.create("tcp://127.0.0.1:0"))
                        .start();
                RpcConnection caller = connect(narrow, ConnectionOptions.DEFAULT)) {
            RpcCall<Integer> stuck = caller.call(EchoProgram.THROW, 1, List.of(), OPTIONS);

            assertThat(caller.call(EchoProgram.ECHO, 2, List.of(), OPTIONS).await())
                    .isEqualTo(2);
            release.countDown();
            assertThat(stuck.await()).isEqualTo(1);
        }
    }

    @Test
    void whatMayHaveToFetchItsArgumentsCannotBeAnsweredAtOnce() {
        RpcService service = EchoProgram.service();

        assertThatThrownBy(() -> service.answeringAtOnce(EchoProgram.MIRROR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MIRROR");
        assertThatThrownBy(() -> service.answeringAtOnce(EchoProgram.UNSERVED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UNSERVED");
    }

    @Test
    void theServerCallsTheClientBackOverTheSameConnection() throws Exception {
        connection.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));
        try (RpcServer calling = serve(EchoProgram.service((value, call) -> call.connection()
                        .call(EchoProgram.ECHO, value, List.of(), OPTIONS)
                        .completion()));
                RpcConnection called = connect(calling, ConnectionOptions.DEFAULT)) {
            called.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));

            assertThat(called.call(EchoProgram.ECHO, 10, List.of(), OPTIONS).await())
                    .isEqualTo(11);
        }
    }

    @Test
    void anArgumentsPayloadIsNotToBeUsedAfterTheAnswer() throws Exception {
        CompletableFuture<Payload> kept = new CompletableFuture<>();
        RpcService keeping = new RpcService(
                "KEEP",
                EchoProgram.PROGRAM,
                EchoProgram.VERSION,
                Map.of(2L, new RpcService.Handler<>(EchoProgram.MIRROR, (data, call) -> {
                    kept.complete(data);
                    return CompletableFuture.completedFuture(data);
                })));
        try (RpcServer server = serve(keeping);
                RpcConnection caller = connect(server, ConnectionOptions.DEFAULT)) {
            caller.call(EchoProgram.MIRROR, Payload.of(EchoProgram.pattern(10)), List.of(), OPTIONS)
                    .await();

            // The answer may have come here before the server's thread is done with it.
            Awaitility.await()
                    .untilAsserted(() -> assertThatExceptionOfType(IllegalStateException.class)
                            .isThrownBy(() -> kept.join().buffer()));
        }
    }

    @Test
    void callsBeyondTheServersQueueAreRefusedAndNotKept() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcService slow = EchoProgram.service((value, call) -> {
            release.await();
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer small = RpcServer.builder()
                        .service(slow)
                        .threads(1)
                        .queue(1)
                        .listen(URI.create("tcp://127.0.0.1:0"))
                        .start();
                RpcConnection caller = connect(small, ConnectionOptions.DEFAULT)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(caller.call(EchoProgram.ECHO, i, List.of(), OPTIONS));
            }

            assertFails(calls.get(2)::await, Kind.SYSTEM_ERROR);
            release.countDown();
            assertThat(calls.get(0).await()).isEqualTo(0);
            assertThat(calls.get(1).await()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionWhoseCallsAreStuckLeavesThreadsToOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcService stuckForNegatives = EchoProgram.service((value, call) -> {
            if (value < 0) {
                release.await();
            }
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer small = RpcServer.builder()
                        .service(stuckForNegatives)
                        .threads(4)
                        .listen(URI.create("tcp://127.0.0.1:0"))
                        .start();
                RpcConnection stuck = connect(small, ConnectionOptions.DEFAULT);
                RpcConnection other = connect(small, ConnectionOptions.DEFAULT)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                calls.add(stuck.call(EchoProgram.ECHO, -i, List.of(), OPTIONS));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(other.call(EchoProgram.ECHO, i, List.of(), OPTIONS).await())
                        .isEqualTo(i);
            }

            release.countDown();
            for (int i = 1; i <= 20; i++) {
                assertThat(calls.get(i - 1).await()).isEqualTo(-i);
            }
        }
    }

    @Test
    void ipv6IsServedToo() throws Exception {
        try (RpcServer six = RpcServer.builder()
                        .service(EchoProgram.service())
                        .listen(URI.create("tcp://[::1]:0"))
                        .start();
                RpcConnection caller = Rpc.connect(
                        URI.create("tcp://[::1]:" + six.addresses().get(0).getPort()))) {
            assertThat(caller.call(EchoProgram.ECHO, 6, List.of(), OPTIONS).await())
                    .isEqualTo(6);
        }
    }

    @Test
    void aClosedPortIsOneLineThatNamesTheAddress() {
        int port = server.addresses().get(0).getPort();
        server.close();

        assertFails(() -> Rpc.connect(URI.create("tcp://127.0.0.1:" + port)), Kind.NOT_CONNECTED)
                .hasMessage("tcp://127.0.0.1:" + port + ": cannot connect: Connection refused");
    }

    @Test
    void anUnknownSchemeNamesTheKnownOnes() {
        assertFails(() -> Rpc.connect(URI.create("carrier-pigeon://x:1")), Kind.NOT_CONNECTED)
                .hasMessageContaining("carrier-pigeon")
                .hasMessageContaining("tcp");
    }

    @Test
    void aUsedAddressCannotBeServed() {
        InetSocketAddress used = server.addresses().get(0);

        assertFails(
                        () -> RpcServer.builder()
                                .listen(URI.create("tcp://127.0.0.1:" + used.getPort()))
                                .start(),
                        Kind.NOT_CONNECTED)
                .hasMessageContaining("cannot listen");
    }

    private <A, R> RpcCall<R> call(Procedure<A, R> procedure, A arguments) {
        return connection.call(procedure, arguments, List.of(), OPTIONS);
    }

    private static <A, R> Procedure<A, R> of(long program, long version, Procedure<A, R> like) {
        return new Procedure<>(
                program, version, like.number(), like.name(), like.arguments(), like.results(), like.binding());
    }

    private static RpcServer serve(RpcService service) throws RpcException {
        return RpcServer.builder()
                .service(service)
                .closeTimeout(Duration.ofMillis(50))
                .listen(URI.create("tcp://127.0.0.1:0"))
                .start();
    }

    private static RpcConnection connect(RpcServer server, ConnectionOptions options) throws RpcException {
        return Rpc.connect(
                URI.create("tcp://127.0.0.1:" + server.addresses().get(0).getPort()), options);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(ThrowingCallable action, Kind kind) {
        return assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    private static <T> T awaited(RpcCall<T> call) {
        try {
            return call.await();
        } catch (RpcException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }
}
