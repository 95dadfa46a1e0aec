// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The slabs of one size of buffers that have buffers to give. Those partly in use come first, so that others stay idle. Guarded by the pool. */
final class SizeClass {
    private final Deque<Slab> partlyUsed = new ArrayDeque<>();
    private final Deque<Slab> idle = new ArrayDeque<>();

    /** Whether there is a free buffer. */
    boolean hasFree() {
        return !partlyUsed.isEmpty() || !idle.isEmpty();
    }

    /** Takes a buffer; there is one. */
    PooledBuffer take() {
        if (partlyUsed.isEmpty()) {
            partlyUsed.push(idle.pop());
        }
        Slab slab = partlyUsed.element();
        PooledBuffer taken = slab.take();
        if (slab.isFull()) {
            partlyUsed.pop();
        }
        return taken;
    }

    /** Takes a buffer back. */
    void giveBack(PooledBuffer buffer) {
        Slab slab = buffer.slab();
        boolean wasFull = slab.isFull();
        slab.giveBack(buffer);
        if (slab.isIdle()) {
            if (!wasFull) {
                partlyUsed.remove(slab);
            }
            idle.push(slab);
        } else if (wasFull) {
            partlyUsed.push(slab);
        }
    }

    /** Adds a slab that is idle. */
    void add(Slab slab) {
        idle.push(slab);
    }

    /** Takes an idle slab out; null if there is none. */
    @Nullable
    Slab takeIdle() {
        return idle.poll();
    }
}
