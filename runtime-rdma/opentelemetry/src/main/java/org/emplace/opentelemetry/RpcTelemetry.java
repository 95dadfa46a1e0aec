// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import java.net.URI;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.ServerObserver;

/**
 * Reports calls to OpenTelemetry. All that it makes is safe for use by several threads.
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

    private final Meter meter;
    private final Tracer tracer;

    /** @param openTelemetry remains the caller's to close */
    public RpcTelemetry(OpenTelemetry openTelemetry) {
        meter = openTelemetry.getMeter(SCOPE);
        tracer = openTelemetry.getTracer(SCOPE);
    }

    /**
     * Measures a client's calls, and makes a span of each call that is made while a span is current.
     *
     * @param server the server's address, for {@code server.address} and {@code server.port}
     */
    public CallObserver client(URI server) {
        return new ClientTelemetry(new CallAttributes(server), meter, tracer);
    }

    /**
     * Counts lost and new connections, and calls that are resent.
     *
     * @param server the server's address
     * @param next is told of everything too
     */
    public RecoveryObserver recovery(URI server, RecoveryObserver next) {
        return new RecoveryTelemetry(new CallAttributes(server), meter, next);
    }

    /** Measures the calls that a server answers. */
    public ServerObserver server() {
        return new ServerTelemetry(meter);
    }

    /**
     * Reports connections, calls and kept replies of a server whenever metrics are collected.
     *
     * @return closed by the caller before or after the server
     */
    public AutoCloseable load(RpcServer server) {
        return new ServerGauges(meter, server);
    }
}
