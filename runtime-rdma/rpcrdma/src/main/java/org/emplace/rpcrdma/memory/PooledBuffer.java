// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;

/** A buffer of a {@link RegisteredPool}. It belongs to its holder until {@link #release}, and the same object then to the next holder. */
public final class PooledBuffer {
    private final RegisteredPool pool;
    private final Slab slab;
    private final MemoryRegion region;
    private final int start;
    private final ByteBuffer view;
    /** Guarded by the pool. */
    private boolean held;

    /** The {@code capacity} bytes of the region from {@code start} on. */
    PooledBuffer(RegisteredPool pool, Slab slab, MemoryRegion region, int start, int capacity) {
        this.pool = pool;
        this.slab = slab;
        this.region = region;
        this.start = start;
        this.view = region.buffer().slice(start, capacity);
    }

    Slab slab() {
        return slab;
    }

    int capacity() {
        return view.capacity();
    }

    /** All of the memory, position 0; a new view each time. */
    public ByteBuffer buffer() {
        return view.duplicate().clear();
    }

    /** All of the memory, position 0: the one view that goes from holder to holder, not to be kept or given away. */
    public ByteBuffer view() {
        return view.clear();
    }

    /**
     * A part of the memory, to be named in a work request.
     *
     * @throws IndexOutOfBoundsException if it is not within this buffer, whose neighbors belong to others
     */
    public MemorySegment segment(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, view.capacity());
        return region.segment(start + offset, length);
    }

    /**
     * Gives the buffer back. Nobody, the provider included, may use its memory any more. To be called once by each holder: a second call
     * has no effect as long as nobody else holds the buffer.
     */
    public void release() {
        pool.release(this);
    }

    /** Notes whether somebody holds the buffer. @return whether that is a change */
    boolean setHeld(boolean byNow) {
        boolean changed = held != byNow;
        held = byNow;
        return changed;
    }
}
