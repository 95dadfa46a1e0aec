// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * The pooled buffers of one size. Guarded by its pool. Its lists are of its own, and each change is made by one method
 * that calls no other: if the stack is too short for it, nothing has changed, and no slab is lost.
 */
final class SizeClass {
    /** The first slab with free and used buffers; its successors have both, too. */
    private @Nullable Slab firstPartlyUsed;

    /** The first slab without used buffers. */
    private @Nullable Slab firstIdle;

    /** Whether there is a free buffer. */
    boolean hasFree() {
        return firstPartlyUsed != null || firstIdle != null;
    }

    /** Takes a free buffer, which must exist. */
    PooledBuffer take() {
        Slab slab = firstPartlyUsed == null ? firstIdle : firstPartlyUsed;
        if (slab == null) {
            throw new IllegalStateException("there is no free buffer");
        }
        put(slab, slab.freeCount - 1);
        PooledBuffer taken = slab.free[--slab.freeCount];
        slab.free[slab.freeCount] = null;
        if (taken == null) {
            throw new IllegalStateException("the slab has no free buffer");
        }
        return taken;
    }

    /** Returns a buffer. */
    void giveBack(PooledBuffer buffer) {
        Slab slab = buffer.slab();
        put(slab, slab.freeCount + 1);
        slab.free[slab.freeCount++] = buffer;
    }

    /** Adds an idle slab. */
    void add(Slab slab) {
        put(slab, slab.free.length);
    }

    /** Removes and returns an idle slab; null if there is none. */
    @Nullable
    Slab takeIdle() {
        Slab slab = firstIdle;
        if (slab != null) {
            put(slab, 0);
        }
        return slab;
    }

    /** Puts a slab into the list for this number of free buffers. A slab without free buffers is in none. */
    private void put(Slab slab, int free) {
        Slab before = slab.previous;
        Slab after = slab.next;
        if (before != null) {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        if (firstIdle == slab) {
            firstIdle = after;
        }
        if (firstPartlyUsed == slab) {
            firstPartlyUsed = after;
        }
        slab.previous = null;
        slab.next = null;
        if (free == slab.free.length) {
            slab.next = firstIdle;
            firstIdle = slab;
        } else if (free > 0) {
            slab.next = firstPartlyUsed;
            firstPartlyUsed = slab;
        }
        if (slab.next != null) {
            slab.next.previous = slab;
        }
    }

    /** One registration, divided into buffers of one size. Guarded by its pool. */
    static final class Slab {
        private final MemoryRegion region;
        private final @Nullable PooledBuffer[] free;
        /** The number of registered bytes. */
        final int length;

        private int freeCount;
        /** The neighbors in the slab's list. */
        private @Nullable Slab previous;

        private @Nullable Slab next;

        /** @param capacity size of each buffer in bytes, which divides the length of the region */
        Slab(RegisteredPool pool, MemoryRegion region, int capacity) {
            this.region = region;
            length = region.length();
            free = new PooledBuffer[length / capacity];
            while (freeCount < free.length) {
                free[freeCount] = new PooledBuffer(pool, this, region, freeCount * capacity, capacity);
                freeCount++;
            }
        }

        void deregister() {
            region.close();
        }
    }
}
