// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A single timer for the deadlines of one connection, set to the earliest, so that the timekeeper's thread need not
 * wake up for each. Safe for use by several threads.
 */
public final class Deadlines {
    private final Timekeeper time;
    private final Runnable look;
    private Timekeeper.@Nullable Timer timer;
    private long earliest;
    private boolean over;

    /**
     * Starts without deadlines.
     *
     * @param look run on the timekeeper's thread at the earliest deadline: handles what is overdue, and {@linkplain #add
     *     adds} the deadlines that remain; must not block or throw
     */
    public Deadlines(Timekeeper time, Runnable look) {
        this.time = time;
        this.look = look;
    }

    /**
     * Adds a deadline.
     *
     * @param deadline a value of {@link Timekeeper#nanoTime}
     */
    public synchronized void add(long deadline) {
        if (!over && (timer == null || deadline - earliest < 0)) {
            stop();
            earliest = deadline;
            timer = time.after(Duration.ofNanos(Math.max(0, deadline - time.nanoTime())), this::expired);
        }
    }

    /** Stops the timer for good. A running timer would keep the connection in memory. */
    public synchronized void end() {
        over = true;
        stop();
    }

    private void expired() {
        synchronized (this) {
            stop();
        }
        look.run();
    }

    private void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
