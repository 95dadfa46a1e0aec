// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.URI;

/**
 * Observes how a {@linkplain org.emplace.Rpc#client client} recovers from the loss of connections. Called on the
 * client's threads; its methods must not block.
 */
public interface RecoveryObserver {

    /** An observer that does nothing. */
    RecoveryObserver NONE = new RecoveryObserver() {};

    /**
     * A connection has ended, but not because the client was closed.
     *
     * @param why the reason, in one line
     */
    default void disconnected(URI address, String why) {}

    /** An attempt to connect has failed. Another one follows. */
    default void notConnected(URI address, RpcException failure) {}

    /**
     * The client has a new connection, over which it {@linkplain RpcClient#serve serves} the same programs. The
     * server does not call back until the client announces again that it is ready. To do so, call the protocol's
     * procedure here, which uses the new connection, but do not wait for the reply.
     *
     * @param client the client
     */
    default void reconnected(URI address, RpcClient client) {}

    /** A call is resent with its xid, because its connection ended before the reply arrived. */
    default void resent(Procedure<?, ?> procedure, int xid) {}
}
