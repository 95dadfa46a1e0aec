// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/** The Receives for the Sends of a connection's peer: the connection's own, or those of a shared receive queue. */
public sealed interface Receives permits Receives.Own, SharedReceiveQueue {

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
}
