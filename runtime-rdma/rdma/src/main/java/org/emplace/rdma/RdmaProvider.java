// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * One way to do RDMA: a device with its protection domain, or software in its place. Memory is registered with the provider and so
 * outlives connections; remote access to it is granted per connection, by {@link QueuePair#expose}.
 *
 * <p>Safe for use by several threads. User code is called back on the provider's threads and must not block there.
 */
public interface RdmaProvider extends AutoCloseable {

    /** A short name for logs and options: {@code iwarp}, {@code verbs}. */
    String name();

    /** The provider's counters. Always the same object; readable after close too. */
    RdmaCounters counters();

    /**
     * Registers memory for local use by this provider's queue pairs. Gives no peer any access.
     *
     * @param direct the bytes from its position to its limit; kept reachable while the region is open. A read-only buffer makes a region
     *     that can be a source only, of Sends and Writes, and of the peer's Reads; to name it as a sink is an
     *     {@link IllegalArgumentException}
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws RdmaException if the system refuses to pin the memory
     */
    MemoryRegion register(ByteBuffer direct) throws RdmaException;

    /**
     * Opens a connection as the initiator. Receives are posted before it is established by {@link
     * ConnectionParameters#receives}, so that the peer's first Send finds one.
     *
     * @param handler told of completions and of the end of the connection
     * @return completes with an established queue pair, or exceptionally with an {@link RdmaException} that says whether no device
     *     of this provider routes there (NO_DEVICE: nothing has been sent, the handler is not called), or the peer was unreachable, refused,
     *     rejected (with its private data) or did not answer within {@link ConnectionParameters#timeout}
     * @throws IllegalArgumentException if the parameters do not fit the transport, or name another provider's memory; where this shows only
     *     once the device is known, the stage completes with it instead
     */
    CompletionStage<QueuePair> connect(
            InetSocketAddress remote, ConnectionParameters parameters, QueuePairHandler handler);

    /** Listens for connections that have Receives of their own; see {@link #listen(InetSocketAddress, int, ConnectionAcceptor)}. */
    default RdmaListener listen(InetSocketAddress local, ConnectionAcceptor acceptor) throws RdmaException {
        return listen(local, 0, acceptor);
    }

    /**
     * Listens for connections.
     *
     * @param local port 0 takes a free one, {@link RdmaListener#localAddress} says which; the wildcard address stands for
     *     all devices of the provider, those that appear later included
     * @param sharedReceives how many Receives a shared receive queue of this listener is to have room for, on each device that can have one;
     *     {@link SharedReceiveQueue#capacity} says what there is. 0 for none
     * @param acceptor asked about each connection request
     * @throws RdmaException if no device of this provider owns the address, but another's may (NO_DEVICE), or it is in use or not this
     *     machine's (ADDRESS_UNAVAILABLE)
     */
    RdmaListener listen(InetSocketAddress local, int sharedReceives, ConnectionAcceptor acceptor) throws RdmaException;

    /** Disconnects every queue pair, closes every listener and ends the provider's threads. Idempotent. */
    @Override
    void close();
}
