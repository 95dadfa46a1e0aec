// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.function.Supplier;

/**
 * A value that exists once per event loop, shared by its channels: for example memory that a channel needs only while it is served. When a loop's
 * thread ends, the garbage collector may collect the values. If it has not, the loop's next thread uses them again.
 */
public final class LoopLocal<T> {
    private final Supplier<T> initial;

    /** @param initial creates a loop's value when it is first requested */
    public LoopLocal(Supplier<T> initial) {
        this.initial = initial;
    }

    /** On the loop: the loop's value. */
    public T of(EventLoop loop) {
        return loop.local(this);
    }

    T make() {
        return initial.get();
    }
}
