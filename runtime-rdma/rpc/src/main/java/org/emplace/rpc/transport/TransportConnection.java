// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.List;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;

/** A connection of a transport, as it is seen by a client that outlives it and whose calls keep their xids. */
public interface TransportConnection extends RpcConnection {

    /**
     * As {@link #call(Procedure, Object, List, CallOptions)}, with an xid of the caller's choice.
     *
     * @throws IllegalStateException if a call of that xid waits for its reply
     */
    <A, R> RpcCall<R> call(
            int xid, Procedure<A, R> procedure, A arguments, List<Destination> destinations, CallOptions options);

    /** Whether a call made now would be sent at once, as the peer has granted a credit that no other call waits for. */
    boolean hasCredit();
}
