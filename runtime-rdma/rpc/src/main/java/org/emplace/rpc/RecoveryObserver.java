// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.URI;

/** Is told how a client recovers while its callers only see their calls take longer. Called on the client's threads; must not block. */
public interface RecoveryObserver {

    /** Ignores everything. */
    RecoveryObserver NONE = new RecoveryObserver() {};

    /**
     * The connection is over, and not because the client was closed.
     *
     * @param why one line
     */
    default void disconnected(URI address, String why) {}

    /** An attempt to connect failed; another follows. */
    default void notConnected(URI address, RpcException failure) {}

    /**
     * The client has a new connection. It {@linkplain RpcConnection#serve serves} the same programs over it, but the server does not call back
     * until the client announces again that it is ready. Make that call here: it is sent over the new connection. Do not wait for its reply
     * here.
     *
     * @param client that has the connection
     */
    default void reconnected(URI address, RpcConnection client) {}

    /** A call is resent with its xid, because its connection ended before the reply arrived. */
    default void resent(Procedure<?, ?> procedure, int xid) {}
}
