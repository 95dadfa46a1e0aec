// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.net.URI;
import org.emplace.opentelemetry.Instruments.Convention;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcException;

/**
 * Metrics of the calls to one server, and a span for each call that is made within a span. Other calls get no span,
 * because it would have no parent.
 */
final class ClientTelemetry implements CallObserver {
    private final CallAttributes attributes;
    private final Tracer tracer;
    private final DoubleHistogram duration;
    private final LongCounter io;
    private final LongCounter copied;
    private final LongCounter moved;
    private final LongCounter nfsCalls;
    private final LongCounter nfsProcedures;

    ClientTelemetry(CallAttributes attributes, Instruments instruments, Tracer tracer) {
        this.attributes = attributes;
        this.tracer = tracer;
        duration = instruments.durations(
                Convention.CLIENT_DURATION, "Duration of calls, from their start to their completion");
        io = instruments.counter(Convention.CLIENT_IO, "By", "Bytes transferred by calls, inline and in chunks");
        copied = instruments.counter(
                Convention.CLIENT_COPIED, "By", "Payload bytes copied between buffers by the client");
        moved = instruments.counter(
                Convention.CLIENT_MOVED,
                "By",
                "Copied bytes of results that had landed in the memory for another element");
        nfsCalls = instruments.counter(Convention.NFS_CLIENT_CALLS, "{request}", "NFS calls");
        nfsProcedures = instruments.counter(Convention.NFS_CLIENT_PROCEDURES, "{procedure}", "NFS calls by procedure");
    }

    @Override
    public CallObserver starting(Procedure<?, ?> procedure) {
        Context context = Context.current();
        if (!Span.fromContext(context).getSpanContext().isValid()) {
            return this;
        }
        Span span = tracer.spanBuilder(CallAttributes.method(procedure))
                .setSpanKind(SpanKind.CLIENT)
                .setParent(context)
                .setAllAttributes(attributes.of(procedure, null))
                .startSpan();
        return report -> {
            record(report, context.with(span));
            report.failure().ifPresent(kind -> {
                span.setAttribute(Convention.ERROR, kind.name());
                span.setStatus(StatusCode.ERROR);
            });
            span.end();
        };
    }

    @Override
    public void completed(CallReport report) {
        record(report, Context.current());
    }

    private void record(CallReport report, Context context) {
        Procedure<?, ?> procedure = report.procedure();
        RpcException.Kind failure = report.failure().orElse(null);
        duration.record(Instruments.seconds(report.elapsed()), attributes.of(procedure, failure), context);
        add("inline", report.inlineBytes(), procedure, context);
        add("read_chunk", report.readChunkBytes(), procedure, context);
        add("position_zero_chunk", report.positionZeroBytes(), procedure, context);
        add("write_chunk", report.writeChunkBytes(), procedure, context);
        add("reply_chunk", report.replyChunkBytes(), procedure, context);
        add(copied, report.copiedBytes(), procedure, context);
        add(moved, report.movedBytes(), procedure, context);
        if (CallAttributes.isNfs(procedure)) {
            nfsCalls.add(1, Attributes.empty(), context);
            nfsProcedures.add(1, CallAttributes.nfs(procedure), context);
        }
    }

    private void add(LongCounter counter, long bytes, Procedure<?, ?> procedure, Context context) {
        if (bytes > 0) {
            counter.add(bytes, attributes.of(procedure, null), context);
        }
    }

    private void add(String path, long bytes, Procedure<?, ?> procedure, Context context) {
        if (bytes > 0) {
            Attributes byPath = attributes.of(procedure, null).toBuilder()
                    .put(Convention.PATH, path)
                    .build();
            io.add(bytes, byPath, context);
        }
    }

    /** Counts a client's lost and new connections and resent calls, and passes all events to another observer. */
    static final class RecoveryTelemetry implements RecoveryObserver {
        private final CallAttributes attributes;
        private final LongCounter disconnects;
        private final LongCounter reconnects;
        private final LongCounter retransmits;
        private final LongCounter nfsRetransmits;
        private final RecoveryObserver next;

        RecoveryTelemetry(CallAttributes attributes, Instruments instruments, RecoveryObserver next) {
            this.attributes = attributes;
            this.next = next;
            disconnects = instruments.counter(
                    Convention.CLIENT_DISCONNECTS,
                    "{connection}",
                    "Connections that ended without being closed by the client");
            reconnects = instruments.counter(
                    Convention.CLIENT_RECONNECTS, "{connection}", "Connections that replaced lost ones");
            retransmits = instruments.counter(
                    Convention.CLIENT_RETRANSMITS, "{retransmit}", "Calls resent over another connection");
            nfsRetransmits = instruments.counter(
                    Convention.NFS_CLIENT_RETRANSMITS, "{retransmit}", "NFS calls resent over another connection");
        }

        @Override
        public void disconnected(URI address, String why) {
            disconnects.add(1, attributes.common());
            next.disconnected(address, why);
        }

        @Override
        public void notConnected(URI address, RpcException failure) {
            next.notConnected(address, failure);
        }

        @Override
        public void reconnected(URI address, RpcClient client) {
            reconnects.add(1, attributes.common());
            next.reconnected(address, client);
        }

        @Override
        public void resent(Procedure<?, ?> procedure, int xid) {
            retransmits.add(1, attributes.of(procedure, null));
            if (CallAttributes.isNfs(procedure)) {
                nfsRetransmits.add(1, Attributes.empty());
            }
            next.resent(procedure, xid);
        }
    }
}
