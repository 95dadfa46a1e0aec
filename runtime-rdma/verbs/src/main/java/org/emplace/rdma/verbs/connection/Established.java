// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.queuepair.VerbsConnection;

/** What the connection manager says of a connection that stands. */
final class Established implements EventHandler {
    private static final System.Logger LOG = System.getLogger(Established.class.getName());

    private final ConnectionId id;
    private final VerbsConnection connection;

    Established(ConnectionId id, VerbsConnection connection) {
        this.id = id;
        this.connection = connection;
    }

    @Override
    public void event(CmEvent event) {
        switch (event.type()) {
            case DISCONNECTED -> {
                id.ended();
                connection.disconnected();
            }
            case TIMEWAIT_EXIT -> {
                id.ended();
                connection.lost(Reason.DISCONNECTED, "the connection manager has given the connection up");
            }
            case DEVICE_REMOVAL -> {
                id.ended();
                connection.deviceRemoved();
            }
            case CONNECT_ERROR, UNREACHABLE, REJECTED ->
                connection.lost(
                        Reason.DISCONNECTED,
                        "the connection manager reports " + event.type() + ", status " + event.status());
            // The route has changed under a connection that stands; where it does not carry any more, retries run out.
            default -> LOG.log(Level.DEBUG, "{0}: {1}", connection, event);
        }
    }

    @Override
    public void shutDown() {
        connection.shutDown();
        id.destroy();
    }
}
