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

    private final List<WorkRequest> waiting = new ArrayList<>(1);
    private boolean told;
    private boolean closed;

    synchronized Outcome add(List<WorkRequest> batch) {
        if (closed) {
            return Outcome.REFUSED;
        }
        for (int i = 0; i < batch.size(); i++) {
            waiting.add(batch.get(i));
        }
        return tell();
    }

    synchronized Outcome add(WorkRequest request) {
        if (closed) {
            return Outcome.REFUSED;
        }
        waiting.add(request);
        return tell();
    }

    private Outcome tell() {
        Outcome outcome = told ? Outcome.JOINED : Outcome.FIRST;
        told = true;
        return outcome;
    }

    /** On the loop: posts what has been added since the last time to the queue, in order. */
    synchronized void moveTo(IwarpSendQueue queue) {
        for (int i = 0; i < waiting.size(); i++) {
            queue.post(waiting.get(i));
        }
        waiting.clear();
        told = false;
    }

    /** On the loop: as {@link #moveTo} for the last time; what is added later is refused. */
    synchronized void close(IwarpSendQueue queue) {
        closed = true;
        moveTo(queue);
    }
}
