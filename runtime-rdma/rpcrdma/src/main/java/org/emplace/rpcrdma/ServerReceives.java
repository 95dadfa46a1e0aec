// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.ConnectionAcceptor;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.SharedReceiveQueue;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.SharedReceives;

/**
 * The Receives of a listener's connections: those of the device's shared receive queue, if there is one, otherwise each
 * connection's own.
 */
final class ServerReceives {
    private static final System.Logger LOG = System.getLogger(ServerReceives.class.getName());

    private final Device device;
    private final ConnectionRole role;
    private final Map<SharedReceiveQueue, SharedReceives> shared = new HashMap<>();

    ServerReceives(Device device, ConnectionRole role) {
        this.device = device;
        this.role = role;
    }

    /**
     * Returns the Receives of one connection.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for them, or if all shared ones have been
     *     promised to other peers
     */
    ConnectionReceives of(ConnectionAcceptor.Request request) throws RdmaException {
        SharedReceiveQueue queue = request.sharedReceiveQueue().orElse(null);
        return queue == null
                ? role.ownReceives(device)
                : of(queue).join(request.remoteAddress().getAddress(), role.creditsToGrant());
    }

    private synchronized SharedReceives of(SharedReceiveQueue queue) throws RdmaException {
        SharedReceives known = shared.get(queue);
        if (known != null) {
            return known;
        }
        SharedReceives receives = new SharedReceives(queue, device.memory().pool(), role.receiveSize());
        shared.put(queue, receives);
        CompletionStage<Void> unused = queue.closed().thenRun(() -> forget(queue));
        LOG.log(
                Level.DEBUG,
                "opened a shared receive queue with a capacity of {0,number,#} Receives",
                queue.capacity());
        return receives;
    }

    private synchronized void forget(SharedReceiveQueue queue) {
        SharedReceives over = shared.remove(queue);
        if (over != null) {
            over.close();
        }
    }
}
