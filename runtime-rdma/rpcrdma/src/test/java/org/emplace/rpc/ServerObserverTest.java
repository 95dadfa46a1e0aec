// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.connect;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.ServerObserver.AnswerReport;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reports to a server's observer, and {@link RpcServer#load}. */
@Timeout(60)
final class ServerObserverTest {
    private static final int CALL_HEADER = 40;
    private static final int REPLY_HEADER = 24;

    private final BlockingQueue<AnswerReport> reports = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void bytesAreThoseOfWholeMessagesIncludingChunks(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.service());
                RpcConnection client = connect(scheme, server)) {
            call(client, EchoProgram.ECHO, 7);
            AnswerReport echo = report();
            assertThat(echo.procedure()).contains(EchoProgram.ECHO);
            assertThat(echo.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(echo.bytesReceived()).isEqualTo(CALL_HEADER + 4);
            assertThat(echo.bytesSent()).isEqualTo(REPLY_HEADER + 4);
            assertThat(echo.waited()).isPositive().isLessThanOrEqualTo(echo.elapsed());

            client.call(
                            EchoProgram.MIRROR,
                            Payload.of(EchoProgram.pattern(100_000)),
                            Destinations.none(),
                            CallOptions.DEFAULT.withUnboundedReplySize(200_000))
                    .await();
            AnswerReport mirror = report();
            assertThat(mirror.bytesReceived()).isEqualTo(CALL_HEADER + 4 + 100_000);
            assertThat(mirror.bytesSent()).isEqualTo(REPLY_HEADER + 4 + 100_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void outcomesAreThoseOfTheReplies(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.service());
                RpcConnection client = connect(scheme, server)) {
            call(client, EchoProgram.NULL, 0);
            AnswerReport ping = report();
            assertThat(ping.procedure()).map(Procedure::name).contains("NULL");
            assertThat(ping.outcome()).isEqualTo(Outcome.SUCCESS);

            assertFails(() -> call(client, EchoProgram.THROW, 1), Kind.SYSTEM_ERROR);
            assertOutcome(Outcome.SYSTEM_ERROR, "THROW");
            assertFails(() -> call(client, EchoProgram.UNSERVED, 1), Kind.PROCEDURE_UNAVAILABLE);
            assertOutcome(Outcome.PROCEDURE_UNAVAILABLE, "");
            assertFails(
                    () -> call(client, of(RpcProgram.of("ECHO", EchoProgram.PROGRAM.number(), 99)), 1),
                    Kind.PROGRAM_MISMATCH);
            assertOutcome(Outcome.PROGRAM_MISMATCH, "");
            assertFails(() -> call(client, of(RpcProgram.of("NONE", 0x3fff_ffffL, 1)), 1), Kind.PROGRAM_UNAVAILABLE);
            assertOutcome(Outcome.PROGRAM_UNAVAILABLE, "");
        }
    }

    @Test
    void rejectedAndDuplicateCallsHaveTheirOwnOutcomes() throws Exception {
        AtomicInteger total = new AtomicInteger();
        Procedure<Integer, Integer> add = of(EchoProgram.PROGRAM);
        RpcService service = RpcService.builder(EchoProgram.PROGRAM)
                .handle(add, (value, call) -> total.addAndGet(value))
                .build();
        try (RpcServer server = serve("tcp", service);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            peer.send(1, add.program().number(), add.program().version(), (int) add.number(), 5);
            peer.receive();
            assertOutcome(Outcome.SUCCESS, "ADD");
            peer.send(1, add.program().number(), add.program().version(), (int) add.number(), 5);
            peer.receive();
            assertOutcome(Outcome.DUPLICATE, "ADD");
            assertThat(server.load().repliesKept()).isEqualTo(1);
            peer.send(2, add.program().number(), add.program().version(), (int) add.number(), 5, 6);
            peer.receive();
            assertOutcome(Outcome.GARBAGE_ARGS, "ADD");
        }
        try (RpcServer server = serve("tcp", service.withFlavors(AuthSys.SERVER));
                RpcConnection client = connect("tcp", server)) {
            assertFails(() -> call(client, add, 5), Kind.AUTHENTICATION);
            assertOutcome(Outcome.AUTHENTICATION, "");
        }
    }

    @Test
    void loadCountsCurrentCallsConnectionsAndReplies() throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        RpcServer.Builder builder = Loopback.builder(
                        EchoProgram.service((value, call) -> CompletableFuture.completedFuture(answer.join())))
                .threads(1)
                .observer(reports::add);
        try (RpcServer server = builder.start();
                RpcConnection client = connect("tcp", server)) {
            assertThat(server.load().callsRunning()).isZero();
            client.call(EchoProgram.ECHO, 1, Destinations.none(), CallOptions.DEFAULT);
            client.call(EchoProgram.ECHO, 2, Destinations.none(), CallOptions.DEFAULT);
            Awaitility.await().until(() -> server.load().callsWaiting() == 1);
            assertThat(server.load().callsRunning()).isEqualTo(1);
            assertThat(server.load().connections()).isEqualTo(1);
            answer.complete(3);
            report();
            report();
            Awaitility.await().until(() -> server.load().callsRunning() == 0);
        }
    }

    @Test
    void anObserverThatThrowsDoesNotAffectCalls() throws Exception {
        RpcServer.Builder builder = Loopback.builder(EchoProgram.service()).observer(report -> {
            throw new IllegalStateException("as the test wants it");
        });
        try (RpcServer server = builder.start();
                RpcConnection client = connect("tcp", server)) {
            assertThat(call(client, EchoProgram.ECHO, 1)).isEqualTo(1);
            assertThat(call(client, EchoProgram.ECHO, 2)).isEqualTo(2);
        }
    }

    private void assertOutcome(Outcome outcome, String procedure) throws InterruptedException {
        AnswerReport report = report();
        assertThat(report.outcome()).isEqualTo(outcome);
        assertThat(report.procedure().map(Procedure::name).orElse("")).isEqualTo(procedure);
        assertThat(report.bytesSent()).isPositive();
    }

    private AnswerReport report() throws InterruptedException {
        AnswerReport report = reports.poll(20, TimeUnit.SECONDS);
        assertThat(report).as("a report within 20 seconds").isNotNull();
        return report;
    }

    /** A procedure ADD, which is not idempotent. */
    private static Procedure<Integer, Integer> of(RpcProgram program) {
        XdrCodec<Integer> number = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
        return Procedure.of(program, 1, "ADD", number, number, ProcedureBinding.nonIdempotent(value -> 4));
    }

    private static int call(RpcConnection client, Procedure<Integer, Integer> procedure, int value) throws Exception {
        return client.call(procedure, value, Destinations.none(), CallOptions.DEFAULT)
                .await();
    }

    private RpcServer serve(String scheme, RpcService service) throws RpcException {
        return Loopback.builder(scheme, service).observer(reports::add).start();
    }
}
