// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
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

    ServerTelemetry(Meter meter) {
        duration = Durations.histogram(
                meter,
                Convention.SERVER_DURATION,
                "Duration of calls, from their arrival until their replies were sent");
        wait = Durations.histogram(meter, Convention.SERVER_WAIT, "Time until the handlers of calls ran");
        requestSize = meter.histogramBuilder(Convention.REQUEST_SIZE)
                .ofLongs()
                .setUnit("By")
                .setDescription("Length of call messages, including chunks")
                .build();
        responseSize = meter.histogramBuilder(Convention.RESPONSE_SIZE)
                .ofLongs()
                .setUnit("By")
                .setDescription("Length of reply messages, including chunks")
                .build();
        nfsCalls = meter.counterBuilder(Convention.NFS_SERVER_CALLS)
                .setUnit("{request}")
                .setDescription("NFS calls")
                .build();
        nfsProcedures = meter.counterBuilder(Convention.NFS_SERVER_PROCEDURES)
                .setUnit("{procedure}")
                .setDescription("NFS calls by procedure")
                .build();
        nfsReplyCache = meter.counterBuilder(Convention.NFS_SERVER_REPLY_CACHE)
                .setUnit("{request}")
                .setDescription("NFS calls by the result of the duplicate request cache")
                .build();
    }

    @Override
    public void answered(AnswerReport report) {
        Procedure<?, ?> procedure = report.procedure().orElse(null);
        Outcome outcome = report.outcome();
        Attributes ofCall = attributes.of(procedure, outcome.isSuccess() ? null : outcome);
        duration.record(Durations.seconds(report.elapsed()), ofCall);
        wait.record(Durations.seconds(report.waited()), ofCall);
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
