// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import org.emplace.RpcServer;
import org.emplace.rpc.ServerLoad;

/** Reports a server's load whenever metrics are collected, until it is closed. */
final class ServerGauges implements AutoCloseable {
    private static final Attributes RUNNING = Attributes.of(Convention.CALL_STATE, "running");
    private static final Attributes WAITING = Attributes.of(Convention.CALL_STATE, "waiting");

    private final RpcServer server;
    private final ObservableLongMeasurement connections;
    private final ObservableLongMeasurement refused;
    private final ObservableLongMeasurement calls;
    private final ObservableLongMeasurement replies;
    private final ObservableLongMeasurement replyBytes;
    private final BatchCallback callback;

    ServerGauges(Meter meter, RpcServer server) {
        this.server = server;
        connections = meter.upDownCounterBuilder(Convention.SERVER_CONNECTIONS)
                .setUnit("{connection}")
                .setDescription("Connections that are open or being set up")
                .buildObserver();
        refused = meter.counterBuilder(Convention.SERVER_REFUSED)
                .setUnit("{connection}")
                .setDescription("Connections refused because there were too many")
                .buildObserver();
        calls = meter.upDownCounterBuilder(Convention.SERVER_CALLS)
                .setUnit("{call}")
                .setDescription("Calls whose handlers run or that wait for a thread")
                .buildObserver();
        replies = meter.upDownCounterBuilder(Convention.SERVER_REPLIES)
                .setUnit("{reply}")
                .setDescription("Replies in the duplicate request cache")
                .buildObserver();
        replyBytes = meter.upDownCounterBuilder(Convention.SERVER_REPLY_BYTES)
                .setUnit("By")
                .setDescription("Bytes of the replies in the duplicate request cache")
                .buildObserver();
        callback = meter.batchCallback(this::report, connections, refused, calls, replies, replyBytes);
    }

    private void report() {
        ServerLoad load = server.load();
        connections.record(load.connections());
        refused.record(load.connectionsRefused());
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
