// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Selects which events of one kind are logged: the 1st, 2nd, 4th, 8th and so on, so that peers cannot flood the log.
 * Safe for use by several threads.
 */
public final class LogSampler {
    private final AtomicLong events = new AtomicLong();

    /** Creates a sampler without events. */
    public LogSampler() {}

    /**
     * Counts an event.
     *
     * @param log logs the event; called with the number of events so far if this event is selected
     */
    public void event(LongConsumer log) {
        long count = events.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            log.accept(count);
        }
    }

    /**
     * Counts a failure of something that its thread must survive, and logs it if it is selected: with its stack trace, unless memory is lacking. Throws
     * nothing.
     *
     * @param what has failed, and what follows
     */
    public void failure(System.Logger log, String what, Throwable broken) {
        try {
            event(count -> log.log(
                    Level.ERROR,
                    what + ": " + broken + "; such failures so far: " + count,
                    broken instanceof OutOfMemoryError ? null : broken));
        } catch (Throwable unlogged) {
            // Possibly for lack of memory. The thread must go on.
        }
    }
}
