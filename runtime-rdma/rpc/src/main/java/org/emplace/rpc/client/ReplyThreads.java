// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.util.function.BooleanSupplier;

/** The threads that receive a connection's replies. A waiting caller can do their work. */
public interface ReplyThreads {

    /**
     * Does the work of these threads on the calling thread, until {@code done} is true. May return at any time; by
     * default at once.
     *
     * @param done called by any thread; must not block or throw
     */
    default void helpUntil(BooleanSupplier done) {}

    /** Makes a thread in {@link #helpUntil} check its condition. May be called by any thread. */
    default void wakeHelper() {}
}
