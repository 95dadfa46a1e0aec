// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.opentelemetry.Instruments.Convention;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The measurements and spans of calls over TCP. */
@Timeout(60)
final class RpcTelemetryTest {
    @RegisterExtension
    static final OpenTelemetryExtension COLLECTED = OpenTelemetryExtension.create();

    private static final XdrCodec<Integer> INT = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
    private static final RpcProgram NFS = RpcProgram.of("NFS_PROGRAM", 100_003, 3);
    private static final RpcProgram OTHER = RpcProgram.of("OTHER", 0x2000_0009L, 1);

    private final RpcTelemetry telemetry = new RpcTelemetry(COLLECTED.getOpenTelemetry());
    private int port;

    @Test
    void durationsHaveTheProcedureAndTheError() throws Exception {
        try (RpcServer server = serve();
                RpcConnection client = connect(server)) {
            call(client, echo(OTHER));
            assertThatExceptionOfType(RpcException.class).isThrownBy(() -> call(client, fail(OTHER)));
            awaitServer(2);
        }
        Attributes ofEcho = Attributes.builder()
                .put(Convention.SYSTEM, "onc_rpc")
                .put(Convention.METHOD, "OTHER/ECHO")
                .put(Convention.PROGRAM_NAME, "OTHER")
                .put(Convention.VERSION, 1)
                .put(Convention.PROCEDURE_NAME, "ECHO")
                .put(Convention.PROCEDURE_NUMBER, 1)
                .build();
        Attributes ofClient = ofEcho.toBuilder()
                .put(Convention.SERVER_ADDRESS, "127.0.0.1")
                .put(Convention.SERVER_PORT, port)
                .build();
        Attributes ofFail = Attributes.builder()
                .put(Convention.METHOD, "OTHER/FAIL")
                .put(Convention.PROCEDURE_NAME, "FAIL")
                .put(Convention.PROCEDURE_NUMBER, 2)
                .put(Convention.ERROR, "SYSTEM_ERROR")
                .build();
        List<MetricData> metrics = COLLECTED.getMetrics();
        assertThat(histogram(metrics, "rpc.client.call.duration"))
                .extracting(HistogramPointData::getAttributes)
                .containsExactlyInAnyOrder(
                        ofClient, ofClient.toBuilder().putAll(ofFail).build());
        assertThat(histogram(metrics, "rpc.server.call.duration"))
                .extracting(HistogramPointData::getAttributes)
                .containsExactlyInAnyOrder(
                        ofEcho, ofEcho.toBuilder().putAll(ofFail).build());
        assertThat(histogram(metrics, "rpc.server.call.duration")).allSatisfy(point -> {
            assertThat(point.getCount()).isEqualTo(1);
            assertThat(point.getSum()).isPositive();
            assertThat(point.getBoundaries()).startsWith(0.00001).endsWith(10.0);
        });
        assertThat(histogram(metrics, "emplace.rpc.server.request.size"))
                .allSatisfy(point -> assertThat(point.getSum()).isEqualTo(44));
        assertThat(sums(metrics, "emplace.rpc.client.io"))
                .allSatisfy(point ->
                        assertThat(point.getAttributes().get(Convention.PATH)).isEqualTo("inline"))
                .extracting(LongPointData::getValue)
                .containsExactlyInAnyOrder(44L + 28, 44L + 24);
        assertThat(metrics).extracting(MetricData::getName).noneMatch(name -> name.startsWith("nfs."));
    }

    @Test
    void bytesAreCountedByTheWayTheyTook() {
        CallObserver client = telemetry.client(URI.create("rdma://storage:20049"));
        client.completed(report(0, 0));
        assertThat(COLLECTED.getMetrics())
                .extracting(MetricData::getName)
                .doesNotContain("emplace.rpc.client.copied", "emplace.rpc.client.moved");

        client.completed(report(30, 11));
        List<MetricData> metrics = COLLECTED.getMetrics();
        assertThat(sums(metrics, "emplace.rpc.client.io").stream()
                        .collect(Collectors.toMap(
                                point -> point.getAttributes().get(Convention.PATH), LongPointData::getValue)))
                .containsOnly(
                        entry("inline", 2L),
                        entry("read_chunk", 4L),
                        entry("position_zero_chunk", 6L),
                        entry("write_chunk", 8L),
                        entry("reply_chunk", 10L));
        for (String name : List.of("emplace.rpc.client.copied", "emplace.rpc.client.moved")) {
            LongPointData point = sums(metrics, name).get(0);
            assertThat(point.getValue()).as(name).isEqualTo(name.endsWith("copied") ? 30 : 11);
            assertThat(point.getAttributes().get(Convention.METHOD)).isEqualTo("OTHER/ECHO");
        }
    }

    private static CallReport report(long copied, long moved) {
        return CallReport.of(echo(OTHER), Duration.ofMillis(1), Optional.empty())
                .withInlineBytes(1)
                .withChunkBytes(2, 3, 4, 5)
                .withCopies(1, copied, moved);
    }

    @Test
    void nfsCallsAreCountedAsTheConventionsDefine() throws Exception {
        try (RpcServer server = serve();
                RpcConnection client = connect(server)) {
            call(client, echo(NFS));
            call(client, echo(NFS));
            awaitServer(2);
            telemetry
                    .recovery(URI.create("tcp://127.0.0.1"), RecoveryObserver.NONE)
                    .resent(echo(NFS), 1);
        }
        List<MetricData> metrics = COLLECTED.getMetrics();
        Attributes byProcedure = Attributes.of(Convention.PROCEDURE_NAME, "ECHO", Convention.VERSION, 3L);
        for (String side : List.of("client", "server")) {
            LongPointData calls = sums(metrics, "nfs." + side + ".rpc.count").get(0);
            assertThat(calls.getValue()).isEqualTo(2);
            assertThat(calls.getAttributes()).isEqualTo(Attributes.empty());
            LongPointData procedures =
                    sums(metrics, "nfs." + side + ".procedure.count").get(0);
            assertThat(procedures.getValue()).isEqualTo(2);
            assertThat(procedures.getAttributes()).isEqualTo(byProcedure);
        }
        LongPointData replyCache = sums(metrics, "nfs.server.repcache.requests").get(0);
        assertThat(replyCache.getValue()).isEqualTo(2);
        assertThat(replyCache.getAttributes()).isEqualTo(Attributes.of(Convention.REPLY_CACHE, "miss"));
        assertThat(sums(metrics, "nfs.client.rpc.retransmit.count").get(0).getValue())
                .isEqualTo(1);
    }

    @Test
    @SuppressWarnings("try") // the scope is open while the calls are made
    void callsWithinASpanHaveChildSpans() throws Exception {
        Span outer = COLLECTED
                .getOpenTelemetry()
                .getTracer("test")
                .spanBuilder("outer")
                .startSpan();
        try (RpcServer server = serve();
                RpcConnection client = connect(server)) {
            call(client, echo(OTHER));
            try (Scope current = outer.makeCurrent()) {
                call(client, echo(OTHER));
                assertThatExceptionOfType(RpcException.class).isThrownBy(() -> call(client, fail(OTHER)));
            }
            outer.end();
            Awaitility.await().until(() -> COLLECTED.getSpans().size() == 3);
        }
        List<SpanData> calls = COLLECTED.getSpans().stream()
                .filter(span -> !span.getName().equals("outer"))
                .toList();
        assertThat(calls).allSatisfy(span -> {
            assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
            assertThat(span.getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
            assertThat(span.getAttributes().get(Convention.SERVER_PORT)).isEqualTo(port);
        });
        SpanData succeeded = calls.get(0);
        assertThat(succeeded.getName()).isEqualTo("OTHER/ECHO");
        assertThat(succeeded.getStatus()).isEqualTo(StatusData.unset());
        SpanData failed = calls.get(1);
        assertThat(failed.getName()).isEqualTo("OTHER/FAIL");
        assertThat(failed.getStatus()).isEqualTo(StatusData.error());
        assertThat(failed.getAttributes().get(Convention.ERROR)).isEqualTo("SYSTEM_ERROR");
    }

    @Test
    @SuppressWarnings("try") // the gauges are read while they are open
    void aServersLoadIsReportedUntilTheGaugesAreClosed() throws Exception {
        try (RpcServer server = serve();
                RpcConnection client = connect(server)) {
            call(client, echo(OTHER));
            awaitServer(1);
            try (AutoCloseable gauges = telemetry.load(server)) {
                List<MetricData> metrics = COLLECTED.getMetrics();
                assertThat(sums(metrics, "emplace.rpc.server.connections")
                                .get(0)
                                .getValue())
                        .isEqualTo(1);
                assertThat(sums(metrics, "emplace.rpc.server.replies").get(0).getValue())
                        .isEqualTo(1);
                assertThat(sums(metrics, "emplace.rpc.server.calls").stream()
                                .collect(Collectors.toMap(
                                        point -> point.getAttributes().get(Convention.CALL_STATE),
                                        LongPointData::getValue)))
                        .containsKeys("running", "waiting");
            }
            assertThat(find(COLLECTED.getMetrics(), "emplace.rpc.server.connections"))
                    .isEmpty();
        }
    }

    @Test
    void aRecoveringClientsObserverGetsAllEvents() {
        AtomicInteger told = new AtomicInteger();
        RecoveryObserver next = new RecoveryObserver() {
            @Override
            public void disconnected(URI address, String why) {
                told.incrementAndGet();
            }
        };
        URI address = URI.create("rdma://storage:20049");
        telemetry.recovery(address, next).disconnected(address, "as the test requires");
        assertThat(told).hasValue(1);
        LongPointData lost =
                sums(COLLECTED.getMetrics(), "emplace.rpc.client.disconnects").get(0);
        assertThat(lost.getValue()).isEqualTo(1);
        assertThat(lost.getAttributes().get(Convention.SERVER_ADDRESS)).isEqualTo("storage");
        assertThat(lost.getAttributes().get(Convention.SERVER_PORT)).isEqualTo(20049);
    }

    /**
     * Waits for the server's reports: it reports a call when the reply has been sent, possibly after the client has
     * received it.
     */
    private static void awaitServer(int calls) {
        Awaitility.await()
                .until(() -> histogram(COLLECTED.getMetrics(), "rpc.server.call.duration").stream()
                                .mapToLong(HistogramPointData::getCount)
                                .sum()
                        == calls);
    }

    private static Optional<MetricData> find(List<MetricData> metrics, String name) {
        return metrics.stream().filter(metric -> metric.getName().equals(name)).findFirst();
    }

    private static List<HistogramPointData> histogram(List<MetricData> metrics, String name) {
        return find(metrics, name)
                .map(metric -> List.copyOf(metric.getHistogramData().getPoints()))
                .orElse(List.of());
    }

    private static List<LongPointData> sums(List<MetricData> metrics, String name) {
        return find(metrics, name)
                .map(metric -> List.copyOf(metric.getLongSumData().getPoints()))
                .orElse(List.of());
    }

    private RpcServer serve() throws RpcException {
        return RpcServer.builder()
                .service(service(NFS))
                .service(service(OTHER))
                .observer(telemetry.server())
                .listen(URI.create("tcp://127.0.0.1:0"))
                .start();
    }

    private RpcConnection connect(RpcServer server) throws RpcException {
        port = server.addresses().get(0).getPort();
        URI address = URI.create("tcp://127.0.0.1:" + port);
        return Rpc.connect(address, ConnectionOptions.DEFAULT.withObserver(telemetry.client(address)));
    }

    private static RpcService service(RpcProgram program) {
        return RpcService.builder(program)
                .handle(echo(program), (value, call) -> value)
                .handle(fail(program), (value, call) -> {
                    throw new IllegalStateException("as the test requires");
                })
                .build();
    }

    private static Procedure<Integer, Integer> echo(RpcProgram program) {
        return Procedure.of(program, 1, "ECHO", INT, INT, ProcedureBinding.nonIdempotent(value -> 4));
    }

    private static Procedure<Integer, Integer> fail(RpcProgram program) {
        return Procedure.of(program, 2, "FAIL", INT, INT, ProcedureBinding.nonIdempotent(value -> 4));
    }

    private static void call(RpcConnection client, Procedure<Integer, Integer> procedure) throws Exception {
        client.call(procedure, 7, Destinations.none(), CallOptions.DEFAULT).await();
    }
}
