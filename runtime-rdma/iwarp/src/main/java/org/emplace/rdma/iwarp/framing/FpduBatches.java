// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.util.ArrayDeque;
import java.util.Deque;

/** Batches that the connections of one event loop borrow: a connection with nothing to write needs none. Used on the loop. */
public final class FpduBatches {
    /** More are in use only where more connections wait for their sockets at a time. */
    private static final int SPARE_LIMIT = 4;

    private final Deque<FpduBatch> spare = new ArrayDeque<>(SPARE_LIMIT);

    /** None yet. */
    public FpduBatches() {}

    /** An empty batch. */
    FpduBatch take() {
        FpduBatch batch = spare.poll();
        return batch == null ? new FpduBatch() : batch;
    }

    /** Takes back an empty batch. */
    void giveBack(FpduBatch batch) {
        if (spare.size() < SPARE_LIMIT) {
            spare.push(batch);
        }
    }
}
