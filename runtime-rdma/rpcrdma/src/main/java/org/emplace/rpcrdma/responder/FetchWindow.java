// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Limits the memory that waits for a peer to answer RDMA Reads. A fetch acquires memory only if the fetches in progress
 * and this one are within the limit, or if none is in progress. A peer that answers no RDMA Reads therefore cannot hold
 * more memory, however large its Read chunks. Fetches start in the order in which they enter. Safe for use by several
 * threads.
 */
final class FetchWindow {
    private final long limit;
    private final Executor executor;
    private final Deque<Waiting> waiting = new ArrayDeque<>(0);
    private long open;
    private boolean over;

    private record Waiting(int bytes, Runnable begin) {}

    /**
     * Creates a window without fetches.
     *
     * @param limit the most bytes to fetch at a time
     * @param executor starts the fetches that had to wait
     */
    FetchWindow(long limit, Executor executor) {
        this.limit = limit;
        this.executor = executor;
    }

    /**
     * Asks to start a fetch. When the fetch has ended, successfully or not, {@link #leave} must be called.
     *
     * @param bytes to be fetched
     * @param later run on the executor when the fetch may start, if it may not start now
     * @return whether the fetch may start now
     */
    synchronized boolean enter(int bytes, Runnable later) {
        if (waiting.isEmpty() && hasRoomFor(bytes)) {
            open += bytes;
            return true;
        }
        waiting.add(new Waiting(bytes, later));
        return false;
    }

    /**
     * Called when a fetch has ended.
     *
     * @param bytes of the fetch
     */
    void leave(int bytes) {
        synchronized (this) {
            open -= bytes;
        }
        beginWaiting();
    }

    /** Called when the connection is over. RDMA Reads then end at once, so no fetch has to wait. */
    void disconnected() {
        synchronized (this) {
            over = true;
        }
        beginWaiting();
    }

    private void beginWaiting() {
        while (true) {
            Waiting next;
            synchronized (this) {
                next = waiting.peek();
                if (next == null || !hasRoomFor(next.bytes)) {
                    return;
                }
                waiting.remove();
                open += next.bytes;
            }
            executor.execute(next.begin);
        }
    }

    private boolean hasRoomFor(int bytes) {
        return over || open == 0 || open + bytes <= limit;
    }
}
