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
     * There is a connection again. What the client {@linkplain RpcConnection#serve serves} it serves over that too; but the server does not call back
     * before it has been told again that the client is prepared. A call for that made here is sent over the new connection. It must not be
     * waited for here.
     *
     * @param client that has the connection
     */
    default void reconnected(URI address, RpcConnection client) {}

    /** A call is sent again, under its xid, as its connection ended before the reply came. */
    default void resent(Procedure<?, ?> procedure, int xid) {}
}
