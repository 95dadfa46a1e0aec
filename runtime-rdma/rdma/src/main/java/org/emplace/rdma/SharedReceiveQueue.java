// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.concurrent.CompletionStage;

/**
 * A receive queue shared by the connections of one listener on one device, so that a server need not post Receives for
 * each connection. A listener gets it by {@link ConnectionAcceptor.Request#sharedReceiveQueue}. Safe for use by several
 * threads.
 *
 * <p>Ownership: {@link #postReceive} gives a buffer to the provider. The completion returns it to the consumer; the
 * provider reports it to the handler of the connection whose peer's Send used the Receive. If a connection ends in the
 * middle of a Send, the Receive of that Send is reported as flushed; unused Receives stay posted. When {@link #closed}
 * completes, all Receives that have not been reported belong to the consumer again.
 *
 * <p>If no Receive is posted, a Send waits for one, which delays its own connection but no other. After a time that
 * depends on the transport, the connection is closed. A transport that cannot wait has no shared receive queues. Post
 * Receives before granting the credits that promise them.
 */
public non-sealed interface SharedReceiveQueue extends Receives {

    /** The maximum number of posted Receives. */
    int capacity();

    /**
     * Posts a Receive for the next Send on any of the connections. A Send longer than its Receive ends its connection.
     * Receives beyond the capacity wait for room. Once the queue is closed, a Receive is ignored.
     *
     * @throws IllegalArgumentException if another provider registered the memory, or it is read-only
     */
    void postReceive(ReceiveRequest receive);

    /**
     * Completes when the provider no longer accesses the memory of the queue: the listener has been closed and the last
     * connection that used the queue has ended, or the device has been removed. Never completes exceptionally, and not
     * at all if the device does not release the memory.
     */
    CompletionStage<Void> closed();
}
