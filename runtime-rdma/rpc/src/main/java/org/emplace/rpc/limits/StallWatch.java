// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.emplace.reactor.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * Detects a peer that does not receive data, because waiting data would hold memory forever. In each period, the peer
 * must receive a minimum number of bytes, and at least a thirtieth of the data that waited at the beginning of the period; if less
 * waited than the minimum, all of it. Safe for use by several threads.
 */
public final class StallWatch {
    /** Else a peer that has much waiting for it could hold that for hours with the minimum. */
    private static final int PART_OF_WAITING = 30;

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
     * Creates a watch that has not started.
     *
     * @param period the length of a period
     * @param least the minimum number of bytes to be received in a period
     * @param waiting returns the number of bytes that wait
     * @param progress returns the number of bytes that the peer has received so far
     * @param stalled run once, on the timekeeper's thread, when the peer receives too little
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

    /** Called when data waits: watches until none does. */
    public void watch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            lookLater();
        }
    }

    /** Stops the watch when the connection is over, so that no timer keeps the connection in memory. */
    public synchronized void stop() {
        over = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void lookLater() {
        long waits = waiting.getAsLong();
        long expected = progress.getAsLong() + Math.min(Math.max(least, waits / PART_OF_WAITING), waits);
        synchronized (this) {
            if (!over) {
                timer = time.after(period, () -> look(expected));
            }
        }
    }

    private void look(long expected) {
        if (waiting.getAsLong() == 0) {
            watching.set(false);
            // Data that arrived before the flag was cleared has not started a watch.
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
