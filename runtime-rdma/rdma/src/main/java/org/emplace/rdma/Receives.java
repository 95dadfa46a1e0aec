// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/** The Receives for a connection's incoming Sends: its own, or those of a shared receive queue. */
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

        /** Capacity for the first Receives only, because each is replaced after its use. */
        public Own(List<ReceiveRequest> first) {
            this(first, first.size());
        }
    }
}
