// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import org.emplace.rdma.ConnectionAcceptor;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rpc.transport.ConnectionLimit;
import org.emplace.rpc.transport.ConnectionLimit.Place;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.OpenConnections;
import org.emplace.rpc.transport.RpcListener;

/** Accepts connections. The dispatcher answers their calls. */
final class RdmaRpcListener implements RpcListener {
    private static final System.Logger LOG = System.getLogger(RdmaRpcListener.class.getName());

    /** The requested capacity of a shared receive queue. With messages of 8 KiB, it needs 64 MiB. */
    private static final int SHARED_RECEIVES = 8192;

    private final RdmaListener listener;
    private final OpenConnections connections;

    private RdmaRpcListener(RdmaListener listener, OpenConnections connections) {
        this.listener = listener;
        this.connections = connections;
    }

    static RdmaRpcListener open(
            Device device,
            InetSocketAddress local,
            ConnectionRole role,
            ConnectionLimit limit,
            TransportResources resources)
            throws RdmaException {
        OpenConnections connections = new OpenConnections();
        ServerReceives receives = new ServerReceives(device, role);
        LogSampler shortages = new LogSampler();
        RdmaListener listener = device.provider().listen(local, SHARED_RECEIVES, request -> {
            Place place =
                    offersReads(request) ? limit.admit(request.remoteAddress()).orElse(null) : null;
            if (place == null) {
                request.reject(new byte[0]);
                return;
            }
            accept(
                    request,
                    () -> new ConnectionSetup(
                            device,
                            role,
                            receives.of(request),
                            resources,
                            connection -> {
                                connections.add(connection);
                                place.occupy(connection);
                            },
                            place::leave),
                    place,
                    shortages);
        });
        return new RdmaRpcListener(listener, connections);
    }

    /**
     * Whether the peer permits RDMA Reads. Without them it could use neither Long Calls nor Read chunks; Linux rejects
     * such a peer, too.
     */
    private static boolean offersReads(ConnectionAcceptor.Request request) {
        if (request.initiatorInboundReads() > 0) {
            return true;
        }
        LOG.log(System.Logger.Level.DEBUG, "rejected {0}: it does not permit RDMA Reads", request.remoteAddress());
        return false;
    }

    private static void accept(
            ConnectionAcceptor.Request request, Preparation preparation, Place place, LogSampler shortages) {
        ConnectionSetup setup;
        try {
            setup = preparation.prepare();
        } catch (RdmaException exhausted) {
            shortages.event(count -> LOG.log(
                    System.Logger.Level.WARNING,
                    "rejected {0}: {1}; such connections so far: {2}",
                    request.remoteAddress(),
                    exhausted.getMessage(),
                    count));
            place.leave();
            request.reject(new byte[0]);
            return;
        }
        request.accept(setup.parameters(), setup);
    }

    /** Prepares a connection that has been admitted. */
    @FunctionalInterface
    private interface Preparation {
        ConnectionSetup prepare() throws RdmaException;
    }

    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public void close() {
        listener.close();
        connections.close();
    }
}
