// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A connection to a peer over which RPC programs are called, and may be served. Several programs share a connection with its credits
 * and thresholds. Safe for use by several threads.
 */
public interface RpcConnection extends AutoCloseable {

    /**
     * Calls a procedure; generated clients do this for their users. Does not block, unless a user's own implementation of a payload does: if the
     * peer has granted no credit, the call is queued. Calls start in the order of this method's invocations, but a call that passes on a
     * payload of an incoming call is sent once the payload's bytes have arrived. If too many calls wait for a credit, further ones fail
     * with {@link RpcException.Kind#QUEUE_FULL}.
     *
     * @param destinations where the DDP-eligible results go, in the order of the binding; results beyond the list are allocated
     * @return the call; it fails with {@link RpcException} only through its own methods, never by a throw here
     * @throws IllegalStateException if a server accepted the connection and has not {@linkplain #enableBackwardCalls enabled} calls over it
     */
    <A, R> RpcCall<R> call(Procedure<A, R> procedure, A arguments, List<Destination> destinations, CallOptions options);

    /** Where memory is registered for direct placement over this connection and others of the same transport. */
    MemoryDomain memory();

    /**
     * Also serves a program to the peer over this connection, from now on (callbacks; RFC 8167). Backward-direction calls use no
     * chunks. A server of this runtime makes none until this side announces, by a procedure of the protocol, that it is ready: serve first, then make
     * that call.
     *
     * @throws IllegalArgumentException if this version of the program is served already
     * @throws IllegalStateException if a server accepted the connection, whose services serve it
     */
    void serve(RpcService service);

    /**
     * Lets this side, which accepted the connection, call the peer over it from now on. RPC cannot express what a client serves, and a call may break
     * the connection of a client that is not ready. The protocol therefore needs a procedure by which the client announces that it is ready. That
     * procedure's handler invokes this method on {@link ServerCall#connection} (draft-ietf-nfsv4-rfc5666bis-01 section 8.3.1). This enables only this
     * connection: the client announces itself again over its next one. Idempotent.
     *
     * @throws IllegalStateException if this side made the connection
     */
    void enableBackwardCalls();

    /** The peer's address; for a local socket, the loopback address with port 0. */
    InetSocketAddress remoteAddress();

    /** Completes when the connection is over: normally after {@link #close}, exceptionally with the {@link RpcException} that ended it. */
    CompletionStage<Void> closed();

    /** Ends the connection; calls in flight fail once their memory is fenced. Does not wait. Idempotent. */
    @Override
    void close();
}
