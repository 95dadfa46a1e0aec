// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.time.Duration;
import java.util.List;

/** Creates the instruments that measure calls and servers. */
record Instruments(Meter meter) {
    /** In seconds. Those of the convention start at 5 ms, but a call over RDMA takes some microseconds. */
    private static final List<Double> BOUNDARIES = List.of(
            0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
            0.5, 1.0, 2.5, 5.0, 10.0);

    LongCounter counter(String name, String unit, String description) {
        return meter.counterBuilder(name)
                .setUnit(unit)
                .setDescription(description)
                .build();
    }

    /** A number that goes up and down. A callback reports it. */
    ObservableLongMeasurement gauge(String name, String unit, String description) {
        return meter.upDownCounterBuilder(name)
                .setUnit(unit)
                .setDescription(description)
                .buildObserver();
    }

    DoubleHistogram durations(String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(BOUNDARIES)
                .build();
    }

    LongHistogram sizes(String name, String description) {
        return meter.histogramBuilder(name)
                .ofLongs()
                .setUnit("By")
                .setDescription(description)
                .build();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /**
     * Names of OpenTelemetry's semantic conventions 1.45, and names of this project where the conventions have none. The
     * names of {@code onc_rpc} and {@code nfs} are only in an artifact of alpha versions, so they are repeated here; a test
     * compares them.
     */
    static final class Convention {
        static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system.name");
        static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
        static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
        static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");
        static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
        static final AttributeKey<String> PROGRAM_NAME = AttributeKey.stringKey("onc_rpc.program.name");
        static final AttributeKey<Long> VERSION = AttributeKey.longKey("onc_rpc.version");
        static final AttributeKey<String> PROCEDURE_NAME = AttributeKey.stringKey("onc_rpc.procedure.name");
        static final AttributeKey<Long> PROCEDURE_NUMBER = AttributeKey.longKey("onc_rpc.procedure.number");
        static final AttributeKey<String> REPLY_CACHE = AttributeKey.stringKey("nfs.server.repcache.status");

        static final String CLIENT_DURATION = "rpc.client.call.duration";
        static final String SERVER_DURATION = "rpc.server.call.duration";
        static final String NFS_CLIENT_CALLS = "nfs.client.rpc.count";
        static final String NFS_CLIENT_PROCEDURES = "nfs.client.procedure.count";
        static final String NFS_CLIENT_RETRANSMITS = "nfs.client.rpc.retransmit.count";
        static final String NFS_SERVER_CALLS = "nfs.server.rpc.count";
        static final String NFS_SERVER_PROCEDURES = "nfs.server.procedure.count";
        static final String NFS_SERVER_REPLY_CACHE = "nfs.server.repcache.requests";

        /** The value of {@link #SYSTEM}. The conventions define none for ONC RPC, but its attributes have this prefix. */
        static final String ONC_RPC = "onc_rpc";

        /** How bytes were transferred: {@code inline}, or the kind of chunk. */
        static final AttributeKey<String> PATH = AttributeKey.stringKey("emplace.rpc.path");

        /** The state of a call at a server: {@code running} or {@code waiting}. */
        static final AttributeKey<String> CALL_STATE = AttributeKey.stringKey("emplace.rpc.call.state");

        static final String CLIENT_IO = "emplace.rpc.client.io";
        static final String CLIENT_COPIED = "emplace.rpc.client.copied";
        static final String CLIENT_MOVED = "emplace.rpc.client.moved";
        static final String CLIENT_RETRANSMITS = "emplace.rpc.client.retransmits";
        static final String CLIENT_DISCONNECTS = "emplace.rpc.client.disconnects";
        static final String CLIENT_RECONNECTS = "emplace.rpc.client.reconnects";
        static final String SERVER_WAIT = "emplace.rpc.server.wait.duration";
        static final String REQUEST_SIZE = "emplace.rpc.server.request.size";
        static final String RESPONSE_SIZE = "emplace.rpc.server.response.size";
        static final String SERVER_CONNECTIONS = "emplace.rpc.server.connections";
        static final String SERVER_REJECTED = "emplace.rpc.server.connections.rejected";
        static final String SERVER_CALLS = "emplace.rpc.server.calls";
        static final String SERVER_REPLIES = "emplace.rpc.server.replies";
        static final String SERVER_REPLY_BYTES = "emplace.rpc.server.replies.size";

        private Convention() {}
    }
}
