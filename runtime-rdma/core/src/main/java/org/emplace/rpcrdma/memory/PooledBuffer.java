// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A buffer of a {@link RegisteredPool}, its holder's until {@link #release}. */
public final class PooledBuffer {
    private final RegisteredPool pool;
    private final AtomicReference<@Nullable MemoryRegion> held;
    private final MemoryRegion region;

    PooledBuffer(RegisteredPool pool, MemoryRegion region) {
        this.pool = pool;
        this.region = region;
        this.held = new AtomicReference<>(region);
    }

    /** All of the memory, position 0; a new view each time. */
    public ByteBuffer buffer() {
        return region.buffer();
    }

    /** A part of the memory, to be named in a work request. */
    public MemorySegment segment(int offset, int length) {
        return region.segment(offset, length);
    }

    /** Gives the buffer back. Nobody, the provider included, may use its memory any more. Idempotent. */
    public void release() {
        MemoryRegion returned = held.getAndSet(null);
        if (returned != null) {
            pool.release(returned);
        }
    }
}
