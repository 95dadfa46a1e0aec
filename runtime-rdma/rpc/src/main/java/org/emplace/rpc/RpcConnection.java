// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;

/**
 * A connection to a peer over which RPC programs are called. A client's is an {@link RpcClient}, which {@link
 * org.emplace.Rpc} makes; a server's is the {@link ServerCall.Connection} of a call. Generated clients call procedures over it. Several programs may share a connection, with its credits and inline
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
     * @throws IllegalStateException if a server accepted the connection and has not {@linkplain
     *     ServerCall.Connection#enableBackwardCalls enabled} calls over it
     */
    <A, R> RpcCall<R> call(Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options);

    /**
     * Returns the domain that registers memory for direct placement, for all connections of the same transport.
     *
     * @throws IllegalStateException if this is a client that {@linkplain ConnectionOptions#lazyConnect connects when it is
     *     used} and has not been connected yet
     */
    MemoryDomain memory();

    /**
     * The peer's address; for a local socket, the loopback address with port 0.
     *
     * @throws IllegalStateException as for {@link #memory}
     */
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
