// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Chooses which of many events of one kind are logged: the 1st, 2nd, 4th, 8th and so on, so that peers do not decide how long a log gets. Safe
 * for use by several threads.
 */
public final class LogSampler {
    private final AtomicLong events = new AtomicLong();

    /** A sampler that has seen no event. */
    public LogSampler() {}

    /**
     * Counts an event.
     *
     * @param log logs the event; called with the number of events so far, if this one is to be logged
     */
    public void event(LongConsumer log) {
        long count = events.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            log.accept(count);
        }
    }
}
