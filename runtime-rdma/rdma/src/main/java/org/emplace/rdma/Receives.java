// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/** What a connection's incoming Sends go into: Receives of its own, or those of a queue that it shares with others. */
public sealed interface Receives permits Receives.Own, SharedReceiveQueue {

    /**
     * Receives of the connection's own; further ones are posted by {@link QueuePair#postReceive}.
     *
     * @param first posted before the first message can arrive, in this order
     * @param capacity how many a device is to have room for at a time; no less than the first
     */
    record Own(List<ReceiveRequest> first, int capacity) implements Receives {
        /** Copies the list. */
        public Own {
            first = List.copyOf(first);
            if (capacity < first.size()) {
                throw new IllegalArgumentException(
                        first.size() + " Receives at first, but room for " + capacity + " only");
            }
        }

        /** Room for the first, as each of them is replaced when it has been used. */
        public Own(List<ReceiveRequest> first) {
            this(first, first.size());
        }
    }
}
