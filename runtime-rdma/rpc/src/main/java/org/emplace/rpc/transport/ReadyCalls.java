// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.ArrayList;
import java.util.List;

/**
 * The calls of a connection whose replies have arrived together. No thread is woken before all of them are ready:
 * otherwise a caller with several calls in flight would preempt the thread that receives replies, take one result,
 * and wait again for the next.
 *
 * <p>Used only on the thread that receives replies.
 */
public final class ReadyCalls {
    private final Callbacks callbacks;
    private final List<Completer> unawaited = new ArrayList<>();
    private final List<Completer> awaited = new ArrayList<>();
    /** The thread that waits for each of the awaited calls, in the same order. */
    private final List<Thread> waiting = new ArrayList<>();

    /** @param callbacks completes the calls for which no thread waits */
    public ReadyCalls(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    /**
     * Adds a claimed call.
     *
     * @param work completes the call by {@link PendingCall#complete} or {@link PendingCall#fail}; run once, soon after
     *     {@link #handOver} or earlier
     */
    public void add(PendingCall<?, ?> call, Runnable work) {
        Completer completer = call.completer();
        Thread waits = completer.leave(work);
        if (waits == null) {
            unawaited.add(completer);
        } else {
            awaited.add(completer);
            waiting.add(waits);
        }
    }

    /** Wakes the threads that complete the calls. */
    public void handOver() {
        if (!unawaited.isEmpty()) {
            callbacks.executeAll(unawaited);
            unawaited.clear();
        }
        for (int i = 0; i < awaited.size(); i++) {
            awaited.get(i).wake(waiting.get(i));
        }
        awaited.clear();
        waiting.clear();
    }
}
