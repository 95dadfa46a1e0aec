// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** One registration that buffers of one size are cut from. Guarded by its pool. */
final class Slab {
    private final MemoryRegion region;
    private final @Nullable PooledBuffer[] free;
    private int freeCount;

    /** @param capacity bytes of each buffer; the region is a multiple of it */
    Slab(RegisteredPool pool, MemoryRegion region, int capacity) {
        this.region = region;
        free = new PooledBuffer[region.length() / capacity];
        while (freeCount < free.length) {
            free[freeCount] = new PooledBuffer(pool, this, region, freeCount * capacity, capacity);
            freeCount++;
        }
    }

    /** Bytes registered. */
    int length() {
        return region.length();
    }

    /** Takes a buffer; there is one. */
    PooledBuffer take() {
        PooledBuffer taken = free[--freeCount];
        free[freeCount] = null;
        if (taken == null) {
            throw new IllegalStateException("the slab has no free buffer");
        }
        return taken;
    }

    /** A buffer is free again. */
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
