// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import java.util.function.LongSupplier;

/** Measures how long a connection has had no call in progress. Safe for use by several threads. */
public final class IdleTime {
    private final LongSupplier nanoTime;
    private int inProgress;
    private long since;

    /**
     * Starts with a new connection, which is idle.
     *
     * @param nanoTime the clock, like {@link System#nanoTime}
     */
    public IdleTime(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.since = nanoTime.getAsLong();
    }

    /** Called when a call begins. */
    public synchronized void begin() {
        inProgress++;
    }

    /** Called when a call is over. */
    public synchronized void end() {
        inProgress--;
        since = nanoTime.getAsLong();
    }

    /** The time since the end of the last call, in nanoseconds; 0 while a call is in progress. */
    public synchronized long nanos() {
        return inProgress > 0 ? 0 : Math.max(0, nanoTime.getAsLong() - since);
    }
}
