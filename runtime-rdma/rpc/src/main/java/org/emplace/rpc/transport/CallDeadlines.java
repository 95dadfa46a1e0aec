// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Times out the calls of one connection. It has a single timer, for the earliest deadline, and checks all calls when
 * that expires, so that the timekeeper's thread need not wake up for each call. Safe for use by several threads.
 */
final class CallDeadlines {
    private static final System.Logger LOG = System.getLogger(CallDeadlines.class.getName());

    private final Timekeeper time;
    private final Supplier<List<PendingCall<?, ?>>> calls;
    private Timekeeper.@Nullable Timer look;
    private long lookAt;
    private boolean over;

    /**
     * Creates deadlines without calls.
     *
     * @param calls returns the calls that wait for replies
     */
    CallDeadlines(Timekeeper time, Supplier<List<PendingCall<?, ?>>> calls) {
        this.time = time;
        this.calls = calls;
    }

    /** Adds the deadline of a new call. */
    synchronized void opened(PendingCall<?, ?> call) {
        if (look == null || call.deadline() - lookAt < 0) {
            lookAt(call.deadline());
        }
    }

    /** Stops the timer. */
    synchronized void end() {
        over = true;
        stop();
    }

    private void lookAt(long deadline) {
        stop();
        if (!over) {
            lookAt = deadline;
            look = time.after(Duration.ofNanos(Math.max(0, deadline - time.nanoTime())), this::look);
        }
    }

    private void stop() {
        if (look != null) {
            look.cancel();
            look = null;
        }
    }

    /** Times a call out. An error must not affect the other calls. */
    private static void timeOut(PendingCall<?, ?> call) {
        try {
            call.timeOut();
        } catch (RuntimeException | Error broken) {
            LOG.log(Level.ERROR, call + ": the timeout failed", broken);
        }
    }

    private void look() {
        synchronized (this) {
            stop();
        }
        long now = time.nanoTime();
        for (PendingCall<?, ?> call : calls.get()) {
            if (call.deadline() - now <= 0) {
                timeOut(call);
            } else {
                opened(call);
            }
        }
    }
}
