// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.jspecify.annotations.Nullable;

/**
 * One end of a reliable RDMA connection: a send queue, a receive queue (its own or a shared one), and the memory that
 * this side exposes to its peer.
 *
 * <p>Order (RFC 8166 section 2.3, RFC 5040 section 5.5): Sends arrive in the order in which they were posted. A Send
 * arrives after all RDMA Writes posted before it have been placed. An RDMA Read may complete after Sends posted later.
 *
 * <p>Safe for use by several threads.
 */
public interface QueuePair extends AutoCloseable {

    /** The peer's address. */
    InetSocketAddress remoteAddress();

    /** The local address. */
    InetSocketAddress localAddress();

    /** The private data that the peer sent during connection set-up; empty if none. */
    byte[] remotePrivateData();

    /** The negotiated number of RDMA Reads that this side may have outstanding. The queue pair delays further ones. */
    int outboundReads();

    /**
     * Posts a Receive. The peer's Sends use Receives in the order in which they were posted; a Send longer than its
     * Receive ends the connection. The device has room for the number of Receives given by {@link
     * ConnectionParameters#receives}. Further ones wait for room, and Sends cannot use them until then.
     *
     * <p>Never blocks. Once the connection is over, a Receive is ignored and has no completion. The connection is over
     * when a work request or Receive has been reported as {@link Completion.Status#FLUSHED}, or {@link
     * Handler#disconnected} is called.
     *
     * @throws IllegalArgumentException if another provider registered the memory, or it is read-only
     * @throws IllegalStateException if the connection uses a {@link SharedReceiveQueue}
     */
    void postReceive(ReceiveRequest receive);

    /**
     * Posts work requests, to be started in list order. Never blocks. Until its completion, the memory that a request
     * names must stay registered; the source of a Send or Write must not change, and the sink of a Read must not be
     * used. The handler may get a completion before this method returns. The completion of a successful Send may be
     * delayed, because a provider need not wake up for it. A request that is invalid in another way than those below
     * completes with {@link Completion.Status#LOCAL_ERROR}, which ends the connection. Once the connection is over,
     * work requests are ignored, as by {@link #postReceive}.
     *
     * @throws IllegalArgumentException if a request names memory that another provider registered, if a Read has a
     *     read-only sink, or if the device cannot gather so many pieces or send with invalidate; then none of the
     *     requests is posted
     */
    void post(List<WorkRequest> requests);

    /** Posts one work request; see {@link #post(List)}. */
    default void post(WorkRequest request) {
        post(List.of(request));
    }

    /**
     * Grants this connection's peer, and nobody else, access to a range of memory. The access ends by {@link
     * RemoteAccess#revoke}, by the peer's Send with Invalidate, or with the connection.
     *
     * @throws IllegalArgumentException if another provider registered the memory, or if it is read-only and the right
     *     is {@link RemoteAccess.Right#REMOTE_WRITE}
     * @throws IllegalStateException if the region is closed
     * @throws RdmaException if the device has no more STags, or the connection is over
     */
    RemoteAccess expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException;

    /** Whether the provider reports the peer's Send with Invalidate by {@link Completion#invalidatedStag}. */
    boolean reportsRemoteInvalidation();

    /** Whether this side can post a {@link WorkRequest.Send} with an STag to invalidate. */
    boolean sendsInvalidate();

    /**
     * Does the provider's work on the calling thread, which waits for an event of this connection. This saves two
     * thread switches if the event comes soon. The provider may call handlers on this thread, also those of other
     * connections.
     *
     * <p>The method returns when {@code done} is true after some of this work. It may also return earlier, even at
     * once: if another thread does the work, the provider is closed, or the thread is interrupted (its interrupt status
     * is kept). The caller must therefore check {@code done} again and, if it is false, wait in another way.
     *
     * <p>May be called by any thread that holds no lock that a handler takes. Does nothing on the provider's threads.
     * Never throws.
     *
     * @param done whether the event has occurred. Must not block or throw. Other threads may call it, even once after
     *     this method has returned. If anything but a handler makes it true, call {@link #wakeHelper} then
     */
    default void helpUntil(BooleanSupplier done) {}

    /**
     * Makes a thread in {@link #helpUntil} check its condition. May be called by any thread; cheap if no thread is
     * there.
     */
    default void wakeHelper() {}

    /**
     * Tells the provider, from within {@link Handler#completed}, that the peer has sent something for which it deserves no further turn
     * before others have had theirs: for example a message that is refused or dropped. A provider whose connections take turns then takes the
     * peer's next messages one at a time. Others ignore this.
     */
    default void endTurn() {}

    /**
     * Ends the connection, without waiting. The provider flushes outstanding work and then calls {@link
     * Handler#disconnected}. Idempotent.
     */
    @Override
    void close();

    /**
     * Ends the connection as {@link #close} does, but at once: the peer does not get what has been posted and has not reached it, so far as
     * the device can discard that.
     */
    default void reset() {
        close();
    }

    /**
     * Receives the events of one queue pair, one at a time and in order. Called on a provider's thread, on a thread in
     * {@link QueuePair#post}, or on a thread in {@link QueuePair#helpUntil} of any connection of the provider. The methods
     * must not block. An exception from one of them ends the connection.
     */
    interface Handler {

        /**
         * The connection is established. This is the first call; at the initiator, the stage of {@link
         * RdmaProvider#connect} completes after it.
         */
        void established(QueuePair queuePair);

        /**
         * Work requests or Receives have completed. Not called after {@link #disconnected}.
         *
         * @param completions in the order in which they occurred. The handler may keep the completions but not the list,
         *     which the provider reuses
         */
        void completed(List<Completion> completions);

        /**
         * The connection is over. The completions of all requests posted before its end have been reported, as {@link
         * Completion.Status#FLUSHED} for those that did not run. The provider no longer accesses the connection's memory.
         * Called exactly once; once more if it throws.
         *
         * @param cause why the connection ended; null after an orderly close by either side
         */
        void disconnected(@Nullable RdmaException cause);
    }
}
