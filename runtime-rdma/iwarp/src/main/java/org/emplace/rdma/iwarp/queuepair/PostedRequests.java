// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.WorkRequest;

/** The work requests that callers have posted and the loop has not taken yet. Any thread adds; nothing that was added is lost. */
final class PostedRequests {
    /** What becomes of a batch. */
    enum Outcome {
        /** The loop has to be told to take it. */
        FIRST,
        /** The loop was told before, and takes it with the others. */
        JOINED,
        /** The connection is over: nothing comes of it. */
        REFUSED
    }

    private List<WorkRequest> waiting = new ArrayList<>();
    private boolean told;
    private boolean closed;

    synchronized Outcome add(List<WorkRequest> batch) {
        if (closed) {
            return Outcome.REFUSED;
        }
        waiting.addAll(batch);
        Outcome outcome = told ? Outcome.JOINED : Outcome.FIRST;
        told = true;
        return outcome;
    }

    /** On the loop: what has been added since the last time, in order. */
    synchronized List<WorkRequest> take() {
        List<WorkRequest> taken = waiting;
        waiting = new ArrayList<>();
        told = false;
        return taken;
    }

    /** On the loop: takes the last ones; those that come later are refused. */
    synchronized List<WorkRequest> close() {
        closed = true;
        return take();
    }
}
