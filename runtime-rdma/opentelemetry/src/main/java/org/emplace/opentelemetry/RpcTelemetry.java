// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.trace.Tracer;
import java.net.URI;
import org.emplace.RpcServer;
import org.emplace.opentelemetry.ClientTelemetry.RecoveryTelemetry;
import org.emplace.opentelemetry.Instruments.Convention;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;

/**
 * Creates observers that report calls to OpenTelemetry. This class and its observers are safe for use by several
 * threads.
 *
 * <pre>{@code
 * RpcTelemetry telemetry = new RpcTelemetry(openTelemetry);
 * ConnectionOptions options = ConnectionOptions.DEFAULT.withObserver(telemetry.client(address));
 *
 * RpcServer server = RpcServer.builder()
 *         .service(service)
 *         .observer(telemetry.server())
 *         .listen(address)
 *         .start();
 * AutoCloseable gauges = telemetry.load(server);
 * }</pre>
 */
public final class RpcTelemetry {
    private static final String SCOPE = "org.emplace.rpc";

    private final Instruments instruments;
    private final Tracer tracer;

    /** @param openTelemetry gets the measurements and spans; the caller closes it */
    public RpcTelemetry(OpenTelemetry openTelemetry) {
        instruments = new Instruments(openTelemetry.getMeter(SCOPE));
        tracer = openTelemetry.getTracer(SCOPE);
    }

    /**
     * Returns an observer that measures a client's calls, and creates a span for each call that is made while a span is
     * current.
     *
     * @param server the server's address, for {@code server.address} and {@code server.port}
     */
    public CallObserver client(URI server) {
        return new ClientTelemetry(new CallAttributes(server), instruments, tracer);
    }

    /**
     * Returns an observer that counts lost and new connections, and resent calls.
     *
     * @param server the server's address, for {@code server.address} and {@code server.port}
     * @param next gets all events, too
     */
    public RecoveryObserver recovery(URI server, RecoveryObserver next) {
        return new RecoveryTelemetry(new CallAttributes(server), instruments, next);
    }

    /** Returns an observer that measures the calls that a server answers. */
    public ServerObserver server() {
        return new ServerTelemetry(instruments);
    }

    /**
     * Reports a server's connections, calls and cached replies whenever metrics are collected.
     *
     * @return ends the reports when closed, before or after the server
     */
    public AutoCloseable load(RpcServer server) {
        return new ServerGauges(instruments, server);
    }

    /** Reports a server's load whenever metrics are collected, until it is closed. */
    private static final class ServerGauges implements AutoCloseable {
        private static final Attributes RUNNING = Attributes.of(Convention.CALL_STATE, "running");
        private static final Attributes WAITING = Attributes.of(Convention.CALL_STATE, "waiting");

        private final RpcServer server;
        private final ObservableLongMeasurement connections;
        private final ObservableLongMeasurement refused;
        private final ObservableLongMeasurement calls;
        private final ObservableLongMeasurement replies;
        private final ObservableLongMeasurement replyBytes;
        private final BatchCallback callback;

        ServerGauges(Instruments instruments, RpcServer server) {
            this.server = server;
            connections = instruments.gauge(
                    Convention.SERVER_CONNECTIONS, "{connection}", "Connections that are open or being set up");
            refused = instruments
                    .meter()
                    .counterBuilder(Convention.SERVER_REJECTED)
                    .setUnit("{connection}")
                    .setDescription("Connections rejected because there were too many")
                    .buildObserver();
            calls = instruments.gauge(
                    Convention.SERVER_CALLS, "{call}", "Calls whose handlers run or that wait for a thread");
            replies = instruments.gauge(Convention.SERVER_REPLIES, "{reply}", "Replies in the duplicate request cache");
            replyBytes = instruments.gauge(
                    Convention.SERVER_REPLY_BYTES, "By", "Bytes of the replies in the duplicate request cache");
            callback =
                    instruments.meter().batchCallback(this::report, connections, refused, calls, replies, replyBytes);
        }

        private void report() {
            ServerLoad load = server.load();
            connections.record(load.connections());
            refused.record(load.connectionsRejected());
            calls.record(load.callsRunning(), RUNNING);
            calls.record(load.callsWaiting(), WAITING);
            replies.record(load.repliesKept());
            replyBytes.record(load.replyBytesKept());
        }

        @Override
        public void close() {
            callback.close();
        }
    }

    /**
     * Metrics of the calls that a server answers. Creates no spans: a call has no trace context, so they would have no
     * parent.
     */
    static final class ServerTelemetry implements ServerObserver {
        private final CallAttributes attributes = new CallAttributes();
        private final DoubleHistogram duration;
        private final DoubleHistogram wait;
        private final LongHistogram requestSize;
        private final LongHistogram responseSize;
        private final LongCounter nfsCalls;
        private final LongCounter nfsProcedures;
        private final LongCounter nfsReplyCache;

        ServerTelemetry(Instruments instruments) {
            duration = instruments.durations(
                    Convention.SERVER_DURATION, "Duration of calls, from their arrival until their replies were sent");
            wait = instruments.durations(Convention.SERVER_WAIT, "Time until the handlers of calls ran");
            requestSize = instruments.sizes(Convention.REQUEST_SIZE, "Length of call messages, including chunks");
            responseSize = instruments.sizes(Convention.RESPONSE_SIZE, "Length of reply messages, including chunks");
            nfsCalls = instruments.counter(Convention.NFS_SERVER_CALLS, "{request}", "NFS calls");
            nfsProcedures =
                    instruments.counter(Convention.NFS_SERVER_PROCEDURES, "{procedure}", "NFS calls by procedure");
            nfsReplyCache = instruments.counter(
                    Convention.NFS_SERVER_REPLY_CACHE,
                    "{request}",
                    "NFS calls by the result of the duplicate request cache");
        }

        @Override
        public void answered(AnswerReport report) {
            Procedure<?, ?> procedure = report.procedure().orElse(null);
            Outcome outcome = report.outcome();
            Attributes ofCall = attributes.of(procedure, outcome.isSuccess() ? null : outcome);
            duration.record(Instruments.seconds(report.elapsed()), ofCall);
            wait.record(Instruments.seconds(report.waited()), ofCall);
            requestSize.record(report.bytesReceived(), ofCall);
            if (report.bytesSent() > 0) {
                responseSize.record(report.bytesSent(), ofCall);
            }
            if (procedure != null && CallAttributes.isNfs(procedure)) {
                nfsCalls.add(
                        1,
                        outcome == Outcome.GARBAGE_ARGS || outcome == Outcome.PROTOCOL_ERROR
                                ? Attributes.of(Convention.ERROR, "format")
                                : Attributes.empty());
                nfsProcedures.add(1, CallAttributes.nfs(procedure));
                nfsReplyCache.add(1, Attributes.of(Convention.REPLY_CACHE, replyCache(procedure, outcome)));
            }
        }

        private static String replyCache(Procedure<?, ?> procedure, Outcome outcome) {
            if (procedure.binding().isIdempotent()) {
                return "nocache";
            }
            return outcome == Outcome.DUPLICATE ? "hit" : "miss";
        }
    }
}
