// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;

/** One registration that buffers of one size are cut from. Guarded by its pool. */
final class Slab {
    private final MemoryRegion region;
    private final int capacity;
    private final int[] free;
    private int freeCount;

    /** @param capacity bytes of each buffer; the region is a multiple of it */
    Slab(MemoryRegion region, int capacity) {
        this.region = region;
        this.capacity = capacity;
        free = new int[region.length() / capacity];
        for (int place = 0; place < free.length; place++) {
            free[place] = place * capacity;
        }
        freeCount = free.length;
    }

    /** Bytes of each buffer. */
    int capacity() {
        return capacity;
    }

    /** Bytes registered. */
    int length() {
        return region.length();
    }

    /** Takes a buffer; there is one. The offset at which it begins. */
    int take() {
        return free[--freeCount];
    }

    /** A buffer is free again. */
    void giveBack(int offset) {
        free[freeCount++] = offset;
    }

    boolean isFull() {
        return freeCount == 0;
    }

    boolean isIdle() {
        return freeCount == free.length;
    }

    ByteBuffer buffer(int offset) {
        return region.buffer().slice(offset, capacity);
    }

    MemorySegment segment(int offset, int length) {
        return region.segment(offset, length);
    }

    void deregister() {
        region.close();
    }
}
