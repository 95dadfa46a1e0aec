// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Bounds the memory that waits for a peer to answer RDMA Reads: a fetch takes memory only when those before it have been answered, but for a number
 * of bytes, or a single fetch that is longer. So a peer that answers none holds no more than that, however much it announces. Fetches begin in the
 * order in which they came. Safe for use by several threads.
 */
final class FetchWindow {
    private final long limit;
    private final Executor executor;
    private final Deque<Waiting> waiting = new ArrayDeque<>(0);
    private long open;
    private boolean over;

    private record Waiting(int bytes, Runnable begin) {}

    /**
     * A window in which nothing is fetched yet.
     *
     * @param limit bytes to be fetched at a time
     * @param executor begins the fetches that had to wait
     */
    FetchWindow(long limit, Executor executor) {
        this.limit = limit;
        this.executor = executor;
    }

    /**
     * A fetch wants to take memory. When it has ended, with or without success, {@link #leave} must be called.
     *
     * @param later run on the executor when it may, if it may not now
     * @return whether it may now
     */
    synchronized boolean enter(int bytes, Runnable later) {
        if (waiting.isEmpty() && hasRoomFor(bytes)) {
            open += bytes;
            return true;
        }
        waiting.add(new Waiting(bytes, later));
        return false;
    }

    /** A fetch of so many bytes has ended. */
    void leave(int bytes) {
        synchronized (this) {
            open -= bytes;
        }
        beginWaiting();
    }

    /** The connection is over: Reads end at once, so no fetch has to wait. */
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
