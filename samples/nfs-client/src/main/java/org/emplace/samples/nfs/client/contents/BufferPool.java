// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.jspecify.annotations.Nullable;

/**
 * A pool of registered direct buffers for the data of READs and WRITEs. The number of buffers bounds the transfers that run ahead, over all
 * files together.
 */
public final class BufferPool implements AutoCloseable {
    private final MemoryDomain memory;
    private final int bufferSize;
    private final int count;
    private final AtomicInteger inUse = new AtomicInteger();
    private final BlockingQueue<RegisteredBuffer> idle;
    private volatile boolean closed;

    /**
     * @param count the most buffers that the pool keeps
     * @param bufferSize bytes in each
     */
    public BufferPool(MemoryDomain memory, int count, int bufferSize) {
        this.memory = memory;
        this.bufferSize = bufferSize;
        this.count = count;
        this.idle = new ArrayBlockingQueue<>(count);
    }

    /** Bytes in each buffer. */
    int bufferSize() {
        return bufferSize;
    }

    /**
     * A buffer for a thread that has none. If all are in use, makes one that the pool does not keep: open files hold buffers too, so a wait
     * for one might not end.
     */
    RegisteredBuffer acquire() throws IOException {
        inUse.incrementAndGet();
        return idleOrNew();
    }

    /** A free buffer, if there is one. */
    Optional<RegisteredBuffer> acquireIfFree() throws IOException {
        boolean free = inUse.getAndUpdate(used -> used < count ? used + 1 : used) < count;
        return free ? Optional.of(idleOrNew()) : Optional.empty();
    }

    private RegisteredBuffer idleOrNew() throws IOException {
        @Nullable RegisteredBuffer buffer = idle.poll();
        if (buffer != null) {
            return buffer;
        }
        boolean made = false;
        try {
            RegisteredBuffer fresh = memory.register(ByteBuffer.allocateDirect(bufferSize));
            made = true;
            return fresh;
        } finally {
            if (!made) {
                inUse.decrementAndGet();
            }
        }
    }

    /** Releases a buffer. No call may still use it. */
    void release(RegisteredBuffer buffer) {
        if (!idle.offer(buffer)) {
            buffer.close();
        }
        inUse.decrementAndGet();
        if (closed) {
            deregisterIdle();
        }
    }

    /** Deregisters the buffers: free ones now, the others when they are released. */
    @Override
    public void close() {
        closed = true;
        deregisterIdle();
    }

    private void deregisterIdle() {
        for (@Nullable RegisteredBuffer buffer = idle.poll(); buffer != null; buffer = idle.poll()) {
            buffer.close();
        }
    }
}
