// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.emplace.rpc.limits.MemoryShares;

/**
 * Limits the memory that waits for a peer to answer RDMA Reads. A fetch takes memory only if the fetches in progress
 * and this one are within the limit, or if none is in progress. A peer that answers no RDMA Reads therefore cannot hold
 * more memory, however large its Read chunks. A fetch also waits until the connection's share has memory for it.
 * Fetches start in the order in which they enter. Safe for use by several threads.
 */
final class FetchWindow {
    private final long limit;
    private final MemoryShares.Share share;
    private final Executor executor;
    private final Deque<Waiting> waiting = new ArrayDeque<>(0);
    private long open;
    /** Whether a fetch, which is no longer in the queue, waits for the share. */
    private boolean asking;

    private boolean over;

    private record Waiting(int bytes, int capacity, Runnable begin) {}

    /**
     * Creates a window without fetches.
     *
     * @param limit the most bytes to fetch at a time
     * @param share the memory that fetches take; each fetch keeps its bytes, and its owner gives them back
     * @param executor starts the fetches that had to wait
     */
    FetchWindow(long limit, MemoryShares.Share share, Executor executor) {
        this.limit = limit;
        this.share = share;
        this.executor = executor;
    }

    /**
     * Asks to start a fetch. When the fetch has ended, successfully or not, {@link #leave} must be called.
     *
     * @param bytes to be fetched
     * @param capacity the bytes of the memory for them. When the fetch starts, it has been taken from the share
     * @param later run on the executor when the fetch may start, if it may not start now
     * @return whether the fetch may start now
     */
    synchronized boolean enter(int bytes, int capacity, Runnable later) {
        Waiting fetch = new Waiting(bytes, capacity, later);
        if (waiting.isEmpty() && !asking && hasRoomFor(bytes)) {
            return begins(fetch);
        }
        waiting.add(fetch);
        return false;
    }

    /** Takes the memory of the next fetch. Returns whether it is there; if not, {@link #granted} is called when it is. */
    private synchronized boolean begins(Waiting fetch) {
        open += fetch.bytes;
        if (over) {
            share.takeBeyond(fetch.capacity);
            return true;
        }
        asking = !share.takeOrWait(fetch.capacity, Math.max(limit, fetch.capacity), () -> granted(fetch));
        return !asking;
    }

    private void granted(Waiting fetch) {
        synchronized (this) {
            asking = false;
        }
        executor.execute(fetch.begin);
        beginWaiting();
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
        share.grantWaiting();
        beginWaiting();
    }

    private void beginWaiting() {
        while (true) {
            Waiting next;
            synchronized (this) {
                next = waiting.peek();
                if (next == null || asking || !hasRoomFor(next.bytes)) {
                    return;
                }
                waiting.remove();
                if (!begins(next)) {
                    return;
                }
            }
            executor.execute(next.begin);
        }
    }

    private boolean hasRoomFor(int bytes) {
        return over || open == 0 || open + bytes <= limit;
    }
}
