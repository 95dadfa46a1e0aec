// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs the errors of one provider that a peer may be able to cause: the 1st, 2nd, 4th, 8th and so on, so that no peer
 * can flood the log. Safe for use by several threads.
 */
public final class SampledErrors {
    private static final System.Logger LOG = System.getLogger(SampledErrors.class.getName());

    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong shortages = new AtomicLong();

    /** Creates a log without errors. */
    public SampledErrors() {}

    /**
     * Counts an error, and logs it if it is selected: with its stack trace, unless the JVM lacks memory. Throws nothing.
     *
     * @param connection what it happened to
     * @param what happened
     */
    public void log(Object connection, String what, Throwable error) {
        log(Level.ERROR, errors, () -> connection + ": " + what + ": " + error, error);
    }

    /**
     * Counts a connection that is rejected for lack of a resource, and logs it in one line if it is selected.
     *
     * @param what is lacking, and what follows
     */
    public void shortage(String what) {
        log(Level.WARNING, shortages, () -> what, null);
    }

    private static boolean isLackOfMemory(Throwable error) {
        return error instanceof OutOfMemoryError || error.getCause() instanceof OutOfMemoryError;
    }

    private static void log(Level level, AtomicLong events, Supplier<String> what, @Nullable Throwable error) {
        long count = events.incrementAndGet();
        if (Long.bitCount(count) != 1) {
            return;
        }
        try {
            boolean hasTrace = error != null && !isLackOfMemory(error);
            LOG.log(level, what.get() + "; such events so far: " + count, hasTrace ? error : null);
        } catch (Throwable unlogged) {
            // Perhaps for lack of memory. The caller has something else to end.
        }
    }
}
