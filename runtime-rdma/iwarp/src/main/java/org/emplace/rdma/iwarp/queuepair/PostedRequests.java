// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.ConnectionCounters;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.memory.Region;

/** The work requests that have been posted and that the loop has not taken yet. Any thread may post. No request is lost. */
final class PostedRequests {
    private final ConnectionCounters counters;
    private final Runnable tellLoop;
    private final List<WorkRequest> waiting = new ArrayList<>(1);
    private boolean told;
    private boolean closed;

    /**
     * @param tellLoop makes the loop {@linkplain #moveTo take} the requests; run by the thread that posts the first one
     */
    PostedRequests(ConnectionCounters counters, Runnable tellLoop) {
        this.counters = counters;
        this.tellLoop = tellLoop;
    }

    /** Posts requests in order. They are ignored if the connection has ended. */
    void post(List<WorkRequest> requests) {
        for (int i = 0; i < requests.size(); i++) {
            check(requests.get(i));
        }
        boolean first;
        synchronized (this) {
            if (closed) {
                return;
            }
            for (int i = 0; i < requests.size(); i++) {
                waiting.add(requests.get(i));
            }
            first = !told;
            told = true;
        }
        counters.posted(requests);
        if (first) {
            tellLoop.run();
        }
    }

    /** Posts one request. It is ignored if the connection has ended. */
    void post(WorkRequest request) {
        check(request);
        boolean first;
        synchronized (this) {
            if (closed) {
                return;
            }
            waiting.add(request);
            first = !told;
            told = true;
        }
        counters.posted(request);
        if (first) {
            tellLoop.run();
        }
    }

    private static void check(WorkRequest request) {
        if (request instanceof WorkRequest.Read read) {
            Region.ofSink(read.sink());
            return;
        }
        List<MemorySegment> memory = request.memory();
        for (int i = 0; i < memory.size(); i++) {
            Region.of(memory.get(i));
        }
    }

    /** On the loop: moves the requests to the queue, in order. */
    synchronized void moveTo(IwarpSendQueue queue) {
        for (int i = 0; i < waiting.size(); i++) {
            queue.post(waiting.get(i));
        }
        waiting.clear();
        told = false;
    }

    /** On the loop: as {@link #moveTo}, for the last time. */
    synchronized void close(IwarpSendQueue queue) {
        closed = true;
        moveTo(queue);
    }
}
