// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.emplace.rdma.MemoryRegion;
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

    /** One registration, divided into buffers of one size. Guarded by its pool. */
    static final class Slab {
        private final MemoryRegion region;
        private final @Nullable PooledBuffer[] free;
        private int freeCount;

        /** @param capacity size of each buffer in bytes, which divides the length of the region */
        Slab(RegisteredPool pool, MemoryRegion region, int capacity) {
            this.region = region;
            free = new PooledBuffer[region.length() / capacity];
            while (freeCount < free.length) {
                free[freeCount] = new PooledBuffer(pool, this, region, freeCount * capacity, capacity);
                freeCount++;
            }
        }

        /** The number of registered bytes. */
        int length() {
            return region.length();
        }

        /** Takes a free buffer, which must exist. */
        PooledBuffer take() {
            PooledBuffer taken = free[--freeCount];
            free[freeCount] = null;
            if (taken == null) {
                throw new IllegalStateException("the slab has no free buffer");
            }
            return taken;
        }

        /** Returns a buffer. */
        void giveBack(PooledBuffer buffer) {
            free[freeCount++] = buffer;
        }

        boolean isFull() {
            return freeCount == 0;
        }

        boolean isIdle() {
            return freeCount == free.length;
        }

        void deregister() {
            region.close();
        }
    }
}
