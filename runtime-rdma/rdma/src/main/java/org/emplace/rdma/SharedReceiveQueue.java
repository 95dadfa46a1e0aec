// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.concurrent.CompletionStage;

/**
 * Receives shared by the connections of one listener on one device, so that a server need not post more Receives for more connections. {@link
 * ConnectionAcceptor.Request#sharedReceiveQueue} offers it. Safe for use by several threads.
 *
 * <p>Ownership: a buffer belongs to the provider from {@link #postReceive} on. It returns to the consumer by a completion, which goes to the handler
 * of the connection whose peer's Send used it. A connection that ends in the middle of a Send reports the Receive of that Send as flushed; unused
 * Receives stay posted. When {@link #closed} has completed, all Receives that were posted and not reported belong to the consumer again.
 *
 * <p>A Send that finds no Receive waits for one, and delays its own connection but no other. Where the transport has no way to wait there are no
 * shared receive queues. The wait ends by itself: the connection is given up after what the transport takes for long. Post Receives before granting
 * the credits that promise them.
 */
public non-sealed interface SharedReceiveQueue extends Receives {

    /** Receives that can be posted at a time. */
    int capacity();

    /**
     * Posts a Receive. The first Send on any connection that finds no earlier Receive fills it; a Send longer than it ends the
     * Send's connection. Those beyond the capacity wait for room. Once the queue is closed, a Receive is ignored.
     *
     * @throws IllegalArgumentException if another provider registered the memory, or it is read-only
     */
    void postReceive(ReceiveRequest receive);

    /**
     * Completes when the queue is over, and the provider no longer touches its memory: its listener has been closed and the last connection
     * that took from it has ended, or the device is gone. Never completes exceptionally, and not at all if the device does not release that memory.
     */
    CompletionStage<Void> closed();
}
