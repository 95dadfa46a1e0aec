// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** One registration, divided into buffers of one size. Guarded by its pool. */
final class Slab {
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
