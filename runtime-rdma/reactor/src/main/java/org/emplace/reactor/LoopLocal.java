// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.function.Supplier;

/**
 * A value that each event loop has once, for its channels to share: for example memory that a channel needs only while it is served. When a loop's
 * thread ends, the garbage collector may take the values. If it has not, the loop's next thread uses them again.
 */
public final class LoopLocal<T> {
    private final Supplier<T> initial;

    /** @param initial creates a loop's value when it is first requested */
    public LoopLocal(Supplier<T> initial) {
        this.initial = initial;
    }

    /** The loop's value. On the loop. */
    public T of(EventLoop loop) {
        return loop.local(this);
    }

    T make() {
        return initial.get();
    }
}
