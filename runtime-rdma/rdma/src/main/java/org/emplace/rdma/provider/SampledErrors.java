// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs the errors of one provider that a peer may be able to cause: the 1st, 2nd, 4th, 8th and so on, so that no peer
 * can flood the log. Safe for use by several threads.
 */
public final class SampledErrors {
    private static final System.Logger LOG = System.getLogger(SampledErrors.class.getName());

    private final AtomicLong errors = new AtomicLong();

    SampledErrors() {}

    /**
     * Counts an error, and logs it if it is selected. Throws nothing, not even if there is no memory to log it.
     *
     * @param what happened, and to which connection
     */
    public void log(Object connection, String what, Throwable error) {
        try {
            long count = errors.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                LOG.log(Level.ERROR, connection + ": " + what + "; such errors so far: " + count, error);
            }
        } catch (RuntimeException | Error unlogged) {
            error.addSuppressed(unlogged);
        }
    }
}
