// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.emplace.rpc.transport.PendingCall;
import org.jspecify.annotations.Nullable;

/** Starts calls in order, so many at a time as there are credits. Safe for use by several threads. */
final class CallQueue {
    private final int credits;
    private final Consumer<PendingCall<?, ?>> start;
    private final Set<PendingCall<?, ?>> waiting = new LinkedHashSet<>();
    private final Set<PendingCall<?, ?>> inFlight = new HashSet<>();

    /** Requests to start calls that were not looked at yet; who raises it from zero serves them all. */
    private final AtomicInteger requests = new AtomicInteger();

    /**
     * An empty queue.
     *
     * @param start starts a call; called by one thread at a time, without a lock held
     */
    CallQueue(int credits, Consumer<PendingCall<?, ?>> start) {
        this.credits = credits;
        this.start = start;
    }

    /** Enters a call and starts what can be started. */
    void add(PendingCall<?, ?> call) {
        synchronized (this) {
            waiting.add(call);
        }
        startCalls();
    }

    /** Takes a call out that is over or given up, and starts what can be started. */
    void remove(PendingCall<?, ?> call) {
        synchronized (this) {
            if (!inFlight.remove(call)) {
                waiting.remove(call);
            }
        }
        startCalls();
    }

    private void startCalls() {
        if (requests.getAndIncrement() > 0) {
            return;
        }
        int served = 1;
        do {
            for (PendingCall<?, ?> call = next(); call != null; call = next()) {
                start.accept(call);
            }
            served = requests.addAndGet(-served);
        } while (served > 0);
    }

    private synchronized @Nullable PendingCall<?, ?> next() {
        Iterator<PendingCall<?, ?>> first = waiting.iterator();
        while (inFlight.size() < credits && first.hasNext()) {
            PendingCall<?, ?> call = first.next();
            first.remove();
            if (call.isWaiting()) {
                inFlight.add(call);
                return call;
            }
        }
        return null;
    }
}
