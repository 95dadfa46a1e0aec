// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.function.Supplier;

/**
 * Something of which each event loop has one, for its channels to share: memory, for example, that a channel needs only while it is served.
 * A loop forgets what it has when its thread ends.
 */
public final class LoopLocal<T> {
    private final Supplier<T> initial;

    /** @param initial makes what a loop has when it is first asked for */
    public LoopLocal(Supplier<T> initial) {
        this.initial = initial;
    }

    /** What that loop has. On the loop. */
    public T of(EventLoop loop) {
        return loop.local(this);
    }

    T make() {
        return initial.get();
    }
}
