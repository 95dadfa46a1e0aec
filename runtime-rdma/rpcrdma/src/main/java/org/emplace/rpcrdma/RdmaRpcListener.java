// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.emplace.rpc.limits.ConnectionLimit.Place;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.SharedReceives;

/**
 * Accepts connections. The dispatcher answers their calls. The connections share the Receives of the device's shared
 * receive queue if there is one; otherwise each has its own. Safe for use by several threads.
 */
final class RdmaRpcListener implements Listener {
    private static final Logger LOG = System.getLogger(RdmaRpcListener.class.getName());

    /** The requested capacity of a shared receive queue. With messages of 8 KiB, it needs 64 MiB. */
    private static final int SHARED_RECEIVES = 8192;

    private final Device device;
    private final ConnectionRole role;
    private final ConnectionLimit limit;
    private final RdmaTransport.Resources resources;
    private final LogSampler shortages = new LogSampler();
    /** Guarded by itself. */
    private final Map<SharedReceiveQueue, SharedReceives> shared = new HashMap<>();

    private final RdmaListener listener;

    RdmaRpcListener(
            Device device,
            InetSocketAddress local,
            ConnectionRole role,
            ConnectionLimit limit,
            RdmaTransport.Resources resources)
            throws RdmaException {
        this.device = device;
        this.role = role;
        this.limit = limit;
        this.resources = resources;
        this.listener = device.provider().listen(local, SHARED_RECEIVES, this::requested);
    }

    private void requested(ConnectionAcceptor.Request request) {
        Place place =
                offersReads(request) ? limit.admit(request.remoteAddress()).orElse(null) : null;
        if (place == null) {
            request.reject(new byte[0]);
            return;
        }
        ConnectionSetup setup;
        try {
            setup = new ConnectionSetup(device, role, receives(request), resources, place::occupy, place::leave);
        } catch (RdmaException exhausted) {
            shortages.event(count -> LOG.log(
                    Level.WARNING,
                    "rejected {0}: {1}; such connections so far: {2}",
                    request.remoteAddress(),
                    exhausted.getMessage(),
                    count));
            place.leave();
            request.reject(new byte[0]);
            return;
        } catch (RuntimeException | Error broken) {
            place.leave();
            throw broken;
        }
        try {
            request.accept(setup.parameters(), setup);
        } catch (RuntimeException | Error broken) {
            setup.failed();
            throw broken;
        }
    }

    /**
     * Whether the peer permits RDMA Reads. Without them it could use neither Long Calls nor Read chunks; Linux rejects
     * such a peer, too.
     */
    private static boolean offersReads(ConnectionAcceptor.Request request) {
        if (request.initiatorInboundReads() > 0) {
            return true;
        }
        LOG.log(Level.DEBUG, "rejected {0}: it does not permit RDMA Reads", request.remoteAddress());
        return false;
    }

    /**
     * Returns the Receives of one connection.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for them, or if all shared ones have been
     *     promised to other peers
     */
    private ConnectionReceives receives(ConnectionAcceptor.Request request) throws RdmaException {
        SharedReceiveQueue queue = request.sharedReceiveQueue().orElse(null);
        return queue == null
                ? ConnectionSetup.ownReceives(device, role)
                : receives(queue).join(Peer.of(request.remoteAddress().getAddress()), role.creditsToGrant());
    }

    private SharedReceives receives(SharedReceiveQueue queue) throws RdmaException {
        synchronized (shared) {
            SharedReceives receives = shared.get(queue);
            if (receives == null) {
                receives =
                        new SharedReceives(queue, device.memory().pool(), ConnectionSetup.receiveSize(role.options()));
                shared.put(queue, receives);
                CompletionStage<Void> unused = queue.closed().thenRun(() -> forget(queue));
                LOG.log(
                        Level.DEBUG,
                        "opened a shared receive queue with a capacity of {0,number,#} Receives",
                        queue.capacity());
            }
            return receives;
        }
    }

    private void forget(SharedReceiveQueue queue) {
        synchronized (shared) {
            SharedReceives over = shared.remove(queue);
            if (over != null) {
                over.close();
            }
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public void close() {
        listener.close();
        limit.close();
    }
}
