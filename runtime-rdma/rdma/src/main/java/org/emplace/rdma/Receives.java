// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;

/** The Receives for the Sends of a connection's peer: the connection's own, or those of a shared receive queue. */
public sealed interface Receives permits Receives.Own, Receives.SharedReceiveQueue {

    /**
     * The connection's own Receives. {@link QueuePair#postReceive} posts further ones.
     *
     * @param first posted before the first message can arrive, in this order
     * @param capacity the maximum number of posted Receives; at least the number of the first
     */
    record Own(List<ReceiveRequest> first, int capacity) implements Receives {
        /** @throws IllegalArgumentException if the capacity is less than the number of the first Receives */
        public Own {
            first = List.copyOf(first);
            if (capacity < first.size()) {
                throw new IllegalArgumentException(first.size() + " first Receives exceed the capacity of " + capacity);
            }
        }

        /** Receives whose capacity is the number of the first ones, each of which is replaced after its use. */
        public Own(List<ReceiveRequest> first) {
            this(first, first.size());
        }
    }

    /**
     * A buffer for one Send of the peer.
     *
     * @param id chosen by the consumer; the completion has the same one
     * @param sink filled from its start; belongs to the provider until the completion
     */
    record ReceiveRequest(int id, MemorySegment sink) {}

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
    non-sealed interface SharedReceiveQueue extends Receives {

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
}
