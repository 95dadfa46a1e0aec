// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices a peer that takes no data, because the data that waits for it would hold memory for ever. In each period the peer has to take all data that
 * waits at the period's beginning, or at least so much that waiting for the rest is worthwhile. Safe for use by several threads.
 */
public final class StallWatch {
    private final Timekeeper time;
    private final Duration period;
    private final long least;
    private final LongSupplier waiting;
    private final LongSupplier progress;
    private final Runnable stalled;
    private final AtomicBoolean watching = new AtomicBoolean();
    private Timekeeper.@Nullable Timer timer;
    private boolean over;

    /**
     * A watch that has not begun.
     *
     * @param least by how much {@code progress} has to grow in a period, if more than that waits
     * @param waiting by how much {@code progress} will have grown when nothing waits any more
     * @param progress grows with what the peer takes
     * @param stalled run once in a row of too little progress, on the timekeeper's thread
     */
    public StallWatch(
            Timekeeper time,
            Duration period,
            long least,
            LongSupplier waiting,
            LongSupplier progress,
            Runnable stalled) {
        this.time = time;
        this.period = period;
        this.least = least;
        this.waiting = waiting;
        this.progress = progress;
        this.stalled = stalled;
    }

    /** Data waits: watches until none does. */
    public void watch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            lookLater();
        }
    }

    /** The connection is over: ends the watch, so that no timer keeps the connection in memory. */
    public synchronized void end() {
        over = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void lookLater() {
        long expected = progress.getAsLong() + Math.min(least, waiting.getAsLong());
        synchronized (this) {
            if (!over) {
                timer = time.after(period, () -> look(expected));
            }
        }
    }

    private void look(long expected) {
        if (waiting.getAsLong() == 0) {
            watching.set(false);
            // What came before that was set has not begun a watch of its own.
            if (waiting.getAsLong() > 0) {
                watch();
            }
        } else if (progress.getAsLong() < expected) {
            stalled.run();
        } else {
            lookLater();
        }
    }
}
