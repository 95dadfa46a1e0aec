// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A reliable RDMA connection: a send queue, a receive queue of its own or a shared one, and the remote access that this side grants to its peer.
 *
 * <p>Order (RFC 8166 section 2.3, RFC 5040 section 5.5): Sends arrive in the order posted; a Send arrives after the placement of
 * every RDMA Write posted before it; an RDMA Read may complete after Sends posted later. Safe for use by several threads.
 */
public interface QueuePair extends AutoCloseable {

    /** The peer's address. */
    InetSocketAddress remoteAddress();

    /** This side's address. */
    InetSocketAddress localAddress();

    /** The private data that the peer sent at set-up; empty if none. */
    byte[] remotePrivateData();

    /** The number of RDMA Reads that this side may have outstanding, as negotiated. The queue pair holds further ones back. */
    int outboundReads();

    /**
     * Posts a Receive. The peer's next Send for which no earlier Receive is left goes into it; a Send longer than it ends the connection. A device
     * has room for as many Receives as {@link ConnectionParameters#receives} named; those beyond wait for room, and are not found by a Send
     * meanwhile. Once the connection is over, a Receive is ignored and has no completion. The connection is over when any work has been reported as
     * {@link Completion.Status#FLUSHED}, or {@link QueuePairHandler#disconnected} is called.
     *
     * @throws IllegalStateException if the connection uses a {@link SharedReceiveQueue}
     */
    void postReceive(ReceiveRequest receive);

    /**
     * Posts work requests, to be started in list order. The memory that they name must stay registered and untouched (for a Send or a Write:
     * unchanged) until their completion. The handler may get a completion before this method returns, and that of a successful Send some time later,
     * because a provider need not wake up for it. Never blocks. Once the connection is over, work requests are ignored, as with {@link #postReceive}.
     */
    void post(List<WorkRequest> requests);

    /** Posts one work request; see {@link #post(List)}. */
    default void post(WorkRequest request) {
        post(List.of(request));
    }

    /**
     * Lets this connection's peer, and nobody else, reach a range of memory, until {@link RemoteAccess#revoke}, the peer's Send with
     * Invalidate, or disconnection.
     *
     * @throws IllegalArgumentException if another provider registered the memory, or it is read-only and the right is to write
     * @throws IllegalStateException if the region is closed
     * @throws RdmaException if the device has no more STags, or the connection is over
     */
    RemoteAccess expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException;

    /** Whether a Send with Invalidate by the peer is reported by {@link Completion#invalidatedStag}. */
    boolean reportsRemoteInvalidation();

    /** Whether this side can send {@link WorkRequest.Send} with an STag to invalidate. */
    boolean sendsInvalidate();

    /**
     * Lets the calling thread, which waits for something from this connection, do work of the provider. In this method the provider may call handlers
     * on the thread, also those of other connections. That saves two changes of thread if a reply comes soon. The method returns as soon as {@code
     * done} holds after some of that work. It may also return earlier, even at once: because another thread does the work, the provider has ended, or
     * the thread is interrupted, and then it still is. The caller therefore checks {@code done} and, if necessary, waits itself.
     *
     * <p>For any thread that holds no lock which a handler may take. Does nothing on the provider's threads. Never throws.
     *
     * @param done whether that has come which the thread waits for. Must not block or throw; may be called by other threads, and once after this
     *     method has returned. Where it becomes true otherwise than by a handler's call, {@link #wakeHelper} is to be called then
     */
    default void helpUntil(BooleanSupplier done) {}

    /** Makes a thread in {@link #helpUntil} check its condition. On any thread; cheap if there is no such thread. */
    default void wakeHelper() {}

    /** Disconnects: outstanding work is flushed, then {@link QueuePairHandler#disconnected} is called. Does not wait. Idempotent. */
    @Override
    void close();
}
