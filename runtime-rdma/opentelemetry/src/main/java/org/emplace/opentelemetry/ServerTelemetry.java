// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ServerObserver;

/**
 * Metrics of the calls that a server answers. Creates no spans: a call has no trace context, so they would have no
 * parent.
 */
final class ServerTelemetry implements ServerObserver {
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
        nfsProcedures = instruments.counter(Convention.NFS_SERVER_PROCEDURES, "{procedure}", "NFS calls by procedure");
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
        if (procedure.binding().idempotent()) {
            return "nocache";
        }
        return outcome == Outcome.DUPLICATE ? "hit" : "miss";
    }
}
