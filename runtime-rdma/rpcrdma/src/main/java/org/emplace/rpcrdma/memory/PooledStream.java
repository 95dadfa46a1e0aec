// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory that one message is encoded into, so that its bytes are sent from where the encoder put them. Throws
 * {@link UncheckedIOException} out of the encoder where the pool is exhausted.
 */
public final class PooledStream implements XdrEncoder.Grower {
    private final RegisteredPool pool;
    private final int firstCapacity;
    private @Nullable PooledBuffer memory;

    /**
     * A stream that holds no memory yet.
     *
     * @param firstCapacity bytes that the first buffer has at least; nothing is acquired before it is needed
     */
    public PooledStream(RegisteredPool pool, int firstCapacity) {
        this.pool = pool;
        this.firstCapacity = firstCapacity;
    }

    @Override
    public ByteBuffer grow(@Nullable ByteBuffer full, int minimumCapacity) {
        PooledBuffer larger;
        try {
            larger = pool.acquire(Math.max(minimumCapacity, firstCapacity));
        } catch (RdmaException exhausted) {
            throw new UncheckedIOException(exhausted);
        }
        ByteBuffer buffer = larger.buffer();
        if (full != null) {
            buffer.put(full.flip());
        }
        release();
        memory = larger;
        return buffer;
    }

    /** The part of the encoded stream from {@code offset} on. */
    MemorySegment segment(int offset, int length) {
        if (memory == null) {
            throw new IllegalStateException("nothing has been encoded");
        }
        return memory.segment(offset, length);
    }

    /** Gives the memory back. Idempotent. */
    public void release() {
        if (memory != null) {
            memory.release();
            memory = null;
        }
    }
}
