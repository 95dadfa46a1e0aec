// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/** What a connection's incoming Sends go into: Receives of its own, or those of a queue that it shares with others. */
public sealed interface Receives permits Receives.Own, SharedReceiveQueue {

    /**
     * Receives of the connection's own; further ones are posted by {@link QueuePair#postReceive}.
     *
     * @param first posted before the first message can arrive, in this order
     */
    record Own(List<ReceiveRequest> first) implements Receives {
        /** Copies the list. */
        public Own {
            first = List.copyOf(first);
        }
    }
}
