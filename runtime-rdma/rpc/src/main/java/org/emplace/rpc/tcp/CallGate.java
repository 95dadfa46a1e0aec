// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.emplace.rpc.transport.IdleTime;
import org.jspecify.annotations.Nullable;

/**
 * Admits a peer's calls, as many at a time as it has credits. Further calls wait here, in bounded memory, because replies may follow them in
 * the stream that the calls in progress depend on. Safe for use by several threads.
 */
final class CallGate {
    /** Memory that a waiting call takes besides its bytes. */
    private static final int OVERHEAD = 256;

    private final int credits;
    private final long limit;
    private final IdleTime idle;
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private int admitted;
    private long waitingBytes;
    private boolean closed;

    /**
     * A gate that nothing has passed.
     *
     * @param credits calls to admit at a time
     * @param limit bytes of waiting calls from which on there is no room for another
     * @param idle told of the calls
     */
    CallGate(int credits, long limit, IdleTime idle) {
        this.credits = credits;
        this.limit = limit;
        this.idle = idle;
    }

    /** Adds a call behind those that wait. {@link #next} returns it. */
    synchronized void enter(ByteBuffer call) {
        idle.begin();
        waiting.add(call);
        waitingBytes += OVERHEAD + call.capacity();
    }

    /** The next call to admit; null if none waits or all credits are in use. */
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
     * An admitted call is over.
     *
     * @return whether another one waits
     */
    synchronized boolean leave() {
        idle.end();
        admitted--;
        return !waiting.isEmpty();
    }

    /** Whether there is room for one more call. */
    synchronized boolean hasRoom() {
        return waitingBytes < limit;
    }

    /** Stops admitting calls. */
    synchronized void close() {
        closed = true;
        waiting.clear();
    }
}
