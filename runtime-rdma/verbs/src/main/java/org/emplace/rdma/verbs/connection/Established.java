// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.queuepair.VerbsQueuePair;

/** What the connection manager says of a connection that stands. */
final class Established implements EventHandler {
    private static final System.Logger LOG = System.getLogger(Established.class.getName());

    private final ConnectionId id;
    private final VerbsQueuePair queuePair;

    Established(ConnectionId id, VerbsQueuePair queuePair) {
        this.id = id;
        this.queuePair = queuePair;
    }

    @Override
    public void event(CmEvent event) {
        switch (event.type()) {
            case DISCONNECTED -> {
                id.ended();
                queuePair.disconnected();
            }
            case TIMEWAIT_EXIT -> {
                id.ended();
                queuePair.lost(Reason.DISCONNECTED, "the connection manager has given the connection up");
            }
            case DEVICE_REMOVAL -> {
                id.ended();
                queuePair.deviceRemoved();
            }
            case CONNECT_ERROR, UNREACHABLE, REJECTED ->
                queuePair.lost(
                        Reason.DISCONNECTED,
                        "the connection manager reports " + event.type() + ", status " + event.status());
            // The route has changed under a connection that stands; where it does not carry any more, retries run out.
            default -> LOG.log(Level.DEBUG, "{0}: {1}", queuePair, event);
        }
    }

    @Override
    public void shutDown() {
        queuePair.shutDown();
        id.destroy();
    }
}
