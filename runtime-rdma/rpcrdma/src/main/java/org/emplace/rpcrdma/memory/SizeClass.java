// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The slabs with free buffers of one size. Partly used slabs are used first, so that others stay idle. Guarded by the
 * pool.
 */
final class SizeClass {
    private final Deque<Slab> partlyUsed = new ArrayDeque<>();
    private final Deque<Slab> idle = new ArrayDeque<>();

    /** Whether there is a free buffer. */
    boolean hasFree() {
        return !partlyUsed.isEmpty() || !idle.isEmpty();
    }

    /** Takes a free buffer, which must exist. */
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

    /** Returns a buffer. */
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

    /** Adds an idle slab. */
    void add(Slab slab) {
        idle.push(slab);
    }

    /** Removes and returns an idle slab; null if there is none. */
    @Nullable
    Slab takeIdle() {
        return idle.poll();
    }
}
