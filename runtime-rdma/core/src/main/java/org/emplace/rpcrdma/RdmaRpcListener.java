// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rdma.ConnectionAcceptor;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.CallDispatcher;
import org.emplace.rpc.transport.RpcListener;

/** Accepts connections and has their calls dispatched. */
final class RdmaRpcListener implements RpcListener {
    private static final System.Logger LOG = System.getLogger(RdmaRpcListener.class.getName());

    private final RdmaListener listener;
    private final Connections connections;

    private RdmaRpcListener(RdmaListener listener, Connections connections) {
        this.listener = listener;
        this.connections = connections;
    }

    static RdmaRpcListener open(
            Device device,
            InetSocketAddress local,
            CallDispatcher dispatcher,
            ConnectionOptions options,
            TransportThreads threads)
            throws RdmaException {
        Connections connections = new Connections();
        ConnectionRole role = new ConnectionRole.Acceptor(options, dispatcher);
        RdmaListener listener = device.provider()
                .listen(
                        local,
                        request -> answer(request, new ConnectionSetup(device, role, threads, connections::add)));
        return new RdmaRpcListener(listener, connections);
    }

    /** A peer that lets itself not be read from could make no Long Calls and pass no Read chunks; Linux refuses it too. */
    private static void answer(ConnectionAcceptor.Request request, ConnectionSetup setup) {
        if (request.initiatorInboundReads() == 0) {
            LOG.log(System.Logger.Level.INFO, "rejected {0}: it offers no inbound RDMA Reads", request.remoteAddress());
            request.reject(new byte[0]);
            return;
        }
        try {
            request.accept(setup.parameters(), setup);
        } catch (RdmaException exhausted) {
            LOG.log(System.Logger.Level.WARNING, "rejected " + request.remoteAddress(), exhausted);
            request.reject(new byte[0]);
        }
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

    /** The connections that stand. */
    private static final class Connections {
        private final Set<RdmaConnection> open = ConcurrentHashMap.newKeySet();
        private volatile boolean closed;

        void add(RdmaConnection connection) {
            open.add(connection);
            connection.closed().whenComplete((ended, failure) -> open.remove(connection));
            if (closed) {
                connection.close();
            }
        }

        void close() {
            closed = true;
            open.forEach(RdmaConnection::close);
        }
    }
}
