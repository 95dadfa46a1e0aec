// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

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
}
