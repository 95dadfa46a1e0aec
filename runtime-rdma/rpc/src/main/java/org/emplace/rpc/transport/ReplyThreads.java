// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.function.BooleanSupplier;

/** The threads that receive a connection's replies; a waiting caller can help them. */
public interface ReplyThreads {

    /**
     * Lets the calling thread help these threads until {@code done} holds. May return at any time.
     *
     * @param done must not block or throw; called by any thread
     */
    void helpUntil(BooleanSupplier done);

    /** Makes a thread in {@link #helpUntil} check its condition. On any thread. */
    void wakeHelper();
}
