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

    /**
     * Registers memory for local use by this provider's queue pairs. Gives no peer any access.
     *
     * @param direct the bytes from its position to its limit; kept reachable while the region is open. A read-only buffer makes a region
     *     that can be a source only: of Sends and Writes, and of the peer's Reads
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws RdmaException if the system refuses to pin the memory
     */
    MemoryRegion register(ByteBuffer direct) throws RdmaException;

    /**
     * Whether queue pairs of this provider report a peer's Send with Invalidate, see {@link QueuePair#reportsRemoteInvalidation}. Asked
     * before connecting, because the offer stands in the private data (RFC 8797).
     */
    default boolean reportsRemoteInvalidation() {
        return false;
    }

    /**
     * Opens a connection as the initiator. Receives may be posted to the queue pair before it is established by
     * {@link ConnectionParameters#receives}, so that the peer's first Send finds one.
     *
     * @param handler told of completions and of the end of the connection
     * @return completes with an established queue pair, or exceptionally with an {@link RdmaException} that says whether the peer was
     *     unreachable, refused, rejected (with its private data) or did not answer within {@link ConnectionParameters#timeout}
     */
    CompletionStage<QueuePair> connect(
            InetSocketAddress remote, ConnectionParameters parameters, QueuePairHandler handler);

    /**
     * Listens for connections.
     *
     * @param local port 0 takes a free one, {@link RdmaListener#localAddress} says which
     * @param acceptor asked about each connection request
     * @throws RdmaException if the address is in use or not ours
     */
    RdmaListener listen(InetSocketAddress local, ConnectionAcceptor acceptor) throws RdmaException;

    /** Disconnects every queue pair, closes every listener and ends the provider's threads. Idempotent. */
    @Override
    void close();
}
