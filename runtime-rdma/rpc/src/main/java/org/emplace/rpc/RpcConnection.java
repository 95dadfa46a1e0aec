// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;

/**
 * A connection to a peer over which RPC programs are called and may be served. {@link org.emplace.Rpc} makes one;
 * generated clients call procedures over it. Several programs may share a connection, with its credits and inline
 * thresholds. Safe for use by several threads.
 */
public interface RpcConnection extends AutoCloseable {

    /**
     * Starts a call of a procedure. Generated clients use this method; applications use the generated clients.
     *
     * <p>Does not block, unless an application's own implementation of {@link org.emplace.xdr.Payload} does. If no
     * credit is left, the call is queued; if too many calls are queued, further ones fail with {@link
     * RpcException.Kind#QUEUE_FULL}. Calls are sent in the order of the invocations of this method. An exception is a
     * call with a payload of an incoming call: it is sent when the bytes of the payload have arrived.
     *
     * @param destinations the memory for the DDP-eligible results
     * @return the call; this method itself throws no {@link RpcException}
     * @throws IllegalArgumentException if the results have another number of elements than there are destinations for, a
     *     destination is a read-only buffer, or two share memory; nothing is sent, and the message names the element
     * @throws IllegalStateException if a server accepted the connection and has not {@linkplain #enableBackwardCalls
     *     enabled} calls over it
     */
    <A, R> RpcCall<R> call(Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options);

    /** Returns the domain that registers memory for direct placement, for all connections of the same transport. */
    MemoryDomain memory();

    /**
     * Serves a program to the peer over this connection from now on, for calls in the backward direction (callbacks; RFC
     * 8167). These use no chunks. A server of this runtime makes no such call until this side announces by a procedure
     * of the protocol that it is ready. Invoke this method first, then call that procedure.
     *
     * @throws IllegalArgumentException if this version of the program is already served
     * @throws IllegalStateException if a server accepted the connection: its services already serve the peer
     */
    void serve(RpcService service);

    /**
     * Enables calls in the backward direction over this connection, which a server accepted. RPC does not tell a server
     * which programs a client serves, and a call may end the connection of a client that is not ready. The protocol
     * therefore needs a procedure by which the client announces that it is ready. The handler of that procedure invokes
     * this method on {@link ServerCall#connection} (draft-ietf-nfsv4-rfc5666bis-01 section 8.3.1). A client that
     * reconnects must announce itself again. Idempotent.
     *
     * @throws IllegalStateException if this side initiated the connection
     */
    void enableBackwardCalls();

    /** The peer's address; for a local socket, the loopback address with port 0. */
    InetSocketAddress remoteAddress();

    /**
     * Completes when the connection is over: normally after {@link #close}, otherwise exceptionally with the {@link
     * RpcException} that ended it.
     */
    CompletionStage<Void> closed();

    /**
     * Closes the connection, without waiting. Calls in flight fail with {@link RpcException.Kind#DISCONNECTED} when
     * their memory is fenced. Idempotent.
     */
    @Override
    void close();
}
