// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.concurrent.CompletionStage;

/**
 * Receives that the connections of one listener on one device take from, so that what a server posts need not grow with its connections.
 * {@link ConnectionAcceptor.Request#sharedReceiveQueue} offers it. Safe for use by several threads.
 *
 * <p>Whose a buffer is: the provider's from {@link #postReceive} on; then the consumer's, by a completion that the handler of the one
 * connection hears whose peer's Send took it. A connection that ends inside a Send reports what that had taken as flushed; what nobody has
 * taken stays posted. When {@link #closed} has completed, all that was posted and not reported is the consumer's again.
 *
 * <p>A Send that finds no Receive waits for one, and its connection with it; other connections are not touched. Where the transport has
 * no way to wait there are no shared receive queues. The wait ends by itself: the connection is given up after what the transport
 * takes for long. Post Receives before granting the credits that promise them.
 */
public non-sealed interface SharedReceiveQueue extends Receives {

    /** Receives that can be posted at a time. */
    int capacity();

    /**
     * Posts a Receive. It is filled by the first Send of any of the connections for which no earlier one is left; a Send longer than it
     * ends the Send's connection. Those beyond the capacity wait for room. Once the queue is closed, nothing comes of it.
     *
     * @throws IllegalArgumentException if another provider registered the memory, or it is read-only
     */
    void postReceive(ReceiveRequest receive);

    /**
     * Completes when the queue is over, and the provider touches none of its memory any more: its listener has been closed and the last
     * connection that took from it has ended, or the device is gone. Never completes exceptionally; and not at all where the device
     * does not let go of that memory.
     */
    CompletionStage<Void> closed();
}
