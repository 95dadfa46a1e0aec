// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.server.ServiceDispatcher;

/**
 * Which end of a connection this side is, and what depends on that (RFC 8167). The end that connected makes calls in
 * forward direction, the other end in the backward direction.
 *
 * @param initiated whether this end connected
 * @param options the options of the connection
 * @param dispatcher answers the peer's calls
 */
public record ConnectionRole(boolean initiated, ConnectionOptions options, ServiceDispatcher dispatcher) {
    private static final int CALLBACK_THREADS = 4;

    /** Returns the role of the end that connects. The services added by {@link #serve} answer the peer's calls. */
    public static ConnectionRole initiator(ConnectionOptions options) {
        return new ConnectionRole(true, options, new ServiceDispatcher(CALLBACK_THREADS));
    }

    /**
     * Returns the role of the end that accepts.
     *
     * @param dispatcher the listener's dispatcher
     */
    public static ConnectionRole acceptor(ConnectionOptions options, ServiceDispatcher dispatcher) {
        return new ConnectionRole(false, options, dispatcher);
    }

    /** The number of credits that this end requests: the most calls that it has in flight. */
    public int creditsToAskFor() {
        return initiated ? options.credits() : options.backwardCredits();
    }

    /** The number of credits that this end grants: the most calls that the peer has in flight. */
    public int creditsToGrant() {
        return initiated ? options.backwardCredits() : options.credits();
    }

    /** See {@link org.emplace.rpc.RpcClient#serve}. */
    public void serve(RpcService service) {
        if (!initiated) {
            throw new IllegalStateException(
                    "a server accepted this connection: add " + service.program() + " to the server");
        }
        dispatcher.add(service);
    }

    /**
     * Checks that this end has accepted the connection, so that calls from this end can be enabled; see {@link
     * org.emplace.rpc.ServerCall.Connection#enableBackwardCalls}.
     *
     * @param connection the name of the connection, for the message
     * @throws IllegalStateException if this end connected
     */
    public void requireAccepted(String connection) {
        if (initiated) {
            throw new IllegalStateException(connection + " was initiated by this side, which can always call the peer");
        }
    }

    /** Called when the connection is over. */
    public void disconnected(RpcConnection connection) {
        if (initiated) {
            dispatcher.close();
        } else {
            dispatcher.disconnected(connection);
        }
    }
}
