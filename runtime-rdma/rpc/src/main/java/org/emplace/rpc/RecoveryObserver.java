// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.URI;

/** Hears what a client does to recover while its callers only see their calls take longer. Called on the client's threads; must not block. */
public interface RecoveryObserver {

    /** Hears nothing. */
    RecoveryObserver NONE = new RecoveryObserver() {};

    /**
     * The connection is over, and not because the client was closed.
     *
     * @param why one line
     */
    default void disconnected(URI address, String why) {}

    /** An attempt to connect failed; the next follows. */
    default void notConnected(URI address, RpcException failure) {}

    /**
     * The client has a new connection. It {@linkplain RpcConnection#serve serves} the same programs over it, but the server does not call back
     * until the client announces again that it is ready. Make that call here: it is sent over the new connection. Do not wait for its reply
     * here.
     *
     * @param client has the connection
     */
    default void reconnected(URI address, RpcConnection client) {}

    /** A call is sent again, under its xid, as its connection ended before the reply came. */
    default void resent(Procedure<?, ?> procedure, int xid) {}
}
