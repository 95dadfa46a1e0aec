// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;

/** A connection of a transport, for use by a client that reconnects and resends calls with the same xid. */
public interface TransportConnection extends RpcConnection {

    /**
     * Like {@link #call(Procedure, Object, List, CallOptions)}, with a given xid.
     *
     * @throws IllegalStateException if a call with this xid already waits for its reply
     */
    <A, R> RpcCall<R> call(
            int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options);

    /** Whether a call made now would be sent at once, because there is a credit for which no other call waits. */
    boolean hasCredit();

    /**
     * Closes the connection, and discards what has been sent and not yet delivered, so far as the transport can. Called
     * when the peer must not receive a call any more whose caller no longer waits.
     */
    default void reset() {
        close();
    }
}
