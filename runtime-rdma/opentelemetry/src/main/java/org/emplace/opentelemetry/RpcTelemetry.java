// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import java.net.URI;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.RecoveryObserver;
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
        return new ServerGauges(instruments.meter(), server);
    }
}
