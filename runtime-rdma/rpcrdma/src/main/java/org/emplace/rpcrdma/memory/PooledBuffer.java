// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.MemorySegment;

/** A buffer of a {@link RegisteredPool}, its holder's until {@link #release}. */
public final class PooledBuffer {
    private final RegisteredPool pool;
    private final Slab slab;
    private final int start;
    private final AtomicBoolean held = new AtomicBoolean(true);

    PooledBuffer(RegisteredPool pool, Slab slab, int start) {
        this.pool = pool;
        this.slab = slab;
        this.start = start;
    }

    /** All of the memory, position 0; a new view each time. */
    public ByteBuffer buffer() {
        return slab.buffer(start);
    }

    /**
     * A part of the memory, to be named in a work request.
     *
     * @throws IndexOutOfBoundsException if it is not within this buffer, whose neighbours belong to others
     */
    public MemorySegment segment(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, slab.capacity());
        return slab.segment(start + offset, length);
    }

    /** Gives the buffer back. Nobody, the provider included, may use its memory any more. Idempotent. */
    public void release() {
        if (held.compareAndSet(true, false)) {
            pool.release(slab, start);
        }
    }
}
