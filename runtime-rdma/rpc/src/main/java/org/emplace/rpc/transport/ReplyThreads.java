// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.function.BooleanSupplier;

/** The threads that receive a connection's replies; a waiting caller can help them. */
public interface ReplyThreads {

    /**
     * Offers the calling thread for the work of these, as long as {@code done} does not hold. May return at any time.
     *
     * @param done must not block or throw; called by any thread
     */
    void helpUntil(BooleanSupplier done);

    /** Has a thread in {@link #helpUntil} look at its condition. On any thread. */
    void wakeHelper();
}
