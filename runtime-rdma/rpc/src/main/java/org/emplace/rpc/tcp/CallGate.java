// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.emplace.rpc.limits.ConnectionLimit.IdleTime;
import org.jspecify.annotations.Nullable;

/**
 * Limits a peer's calls in progress to its credits. Nothing more is read from the peer while that many are in progress,
 * unless this end waits for replies, which may follow further calls. These wait here, in bounded memory. Safe for use by
 * several threads.
 */
final class CallGate {
    /** The memory of a waiting call in addition to its message, in bytes. */
    private static final int OVERHEAD = 256;

    private final int credits;
    private final long limit;
    private final IdleTime idle;
    private final Consumer<ByteBuffer> dropped;
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();

    private int admitted;
    private long waitingBytes;
    private boolean closed;

    /**
     * Creates a gate without calls.
     *
     * @param credits the most calls to admit at a time
     * @param limit the most bytes of waiting calls
     * @param idle counts the calls
     * @param dropped receives the calls that will no longer be admitted
     */
    CallGate(int credits, long limit, IdleTime idle, Consumer<ByteBuffer> dropped) {
        this.credits = credits;
        this.limit = limit;
        this.idle = idle;
        this.dropped = dropped;
    }

    /**
     * Adds a call to those that wait.
     *
     * @return false if the waiting calls now hold more bytes than they may, so that the connection must end
     */
    boolean enter(ByteBuffer call) {
        synchronized (this) {
            if (!closed) {
                idle.started();
                waiting.add(call);
                waitingBytes += OVERHEAD + call.capacity();
                return admitted < credits || waitingBytes <= limit;
            }
        }
        dropped.accept(call);
        return true;
    }

    /** Returns the next call to admit; null if none waits or all credits are in use. */
    synchronized @Nullable ByteBuffer next() {
        if (closed || admitted == credits || waiting.isEmpty()) {
            return null;
        }
        ByteBuffer call = waiting.remove();
        waitingBytes -= OVERHEAD + call.capacity();
        admitted++;
        return call;
    }

    /**
     * Restores the credit of an admitted call that is over.
     *
     * @return whether another call waits
     */
    synchronized boolean restoreCredit() {
        idle.completed();
        admitted--;
        return !waiting.isEmpty();
    }

    /** Whether the peer has a credit left. */
    synchronized boolean hasCredit() {
        return admitted + waiting.size() < credits;
    }

    /** Stops admitting calls, and drops those that wait. If it throws, the next call drops the rest. */
    void close() {
        for (ByteBuffer call = removeNext(); call != null; call = removeNext()) {
            dropped.accept(call);
        }
    }

    private synchronized @Nullable ByteBuffer removeNext() {
        closed = true;
        return waiting.poll();
    }
}
