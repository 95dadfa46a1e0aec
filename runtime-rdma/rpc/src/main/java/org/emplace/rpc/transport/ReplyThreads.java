// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.function.BooleanSupplier;

/** The threads on which a connection's replies come in, as a thread sees them that waits for one and would rather help. */
public interface ReplyThreads {

    /** Threads that need no help. */
    ReplyThreads UNHELPED = new ReplyThreads() {
        @Override
        public void helpUntil(BooleanSupplier done) {}

        @Override
        public void wakeHelper() {}
    };

    /**
     * Offers the calling thread for the work of these, as long as {@code done} does not hold. May return at any time.
     *
     * @param done must not block or throw; called by any thread
     */
    void helpUntil(BooleanSupplier done);

    /** Has a thread in {@link #helpUntil} look at its condition. On any thread. */
    void wakeHelper();
}
