// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.function.LongSupplier;

/** How long a connection has had no call in progress. Safe for use by several threads. */
public final class IdleTime {
    private final LongSupplier nanoTime;
    private int inProgress;
    private long since;

    /**
     * The time of a new connection, which is idle from now on.
     *
     * @param nanoTime the clock, as {@link System#nanoTime}
     */
    public IdleTime(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.since = nanoTime.getAsLong();
    }

    /** A call begins. */
    public synchronized void begin() {
        inProgress++;
    }

    /** A call is over. */
    public synchronized void end() {
        inProgress--;
        since = nanoTime.getAsLong();
    }

    /** Nanoseconds since the last call was over; 0 while one is in progress. */
    public synchronized long nanos() {
        return inProgress > 0 ? 0 : Math.max(0, nanoTime.getAsLong() - since);
    }
}
