// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.RegisteredBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Registered direct memory for the data of READs and WRITEs: registered once, used again and again. How many buffers there are bounds
 * how many transfers are in flight, over all files together.
 */
final class BufferPool implements AutoCloseable {
    private final MemoryDomain memory;
    private final int bufferSize;
    private final Duration acquireTimeout;
    private final Semaphore permits;
    private final BlockingQueue<RegisteredBuffer> idle;
    private volatile boolean closed;

    /**
     * @param count most buffers that there are at a time; they are made as they are needed
     * @param bufferSize bytes in each
     * @param acquireTimeout how long to wait for a buffer: longer than any call takes that may hold one
     */
    BufferPool(MemoryDomain memory, int count, int bufferSize, Duration acquireTimeout) {
        this.memory = memory;
        this.bufferSize = bufferSize;
        this.acquireTimeout = acquireTimeout;
        this.permits = new Semaphore(count);
        this.idle = new ArrayBlockingQueue<>(count);
    }

    /** Bytes in each buffer. */
    int bufferSize() {
        return bufferSize;
    }

    /** A buffer, as soon as one is free. Whoever holds buffers already must not wait for another: see {@link #takeIfFree}. */
    RegisteredBuffer take() throws IOException, InterruptedException {
        if (!permits.tryAcquire(acquireTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("no transfer has ended for " + acquireTimeout.toSeconds() + " s");
        }
        return idleOrNew();
    }

    /** A buffer, if one is free. */
    Optional<RegisteredBuffer> takeIfFree() throws IOException {
        return permits.tryAcquire() ? Optional.of(idleOrNew()) : Optional.empty();
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
                permits.release();
            }
        }
    }

    /** Gives a buffer back; no call may be using it any more. */
    void giveBack(RegisteredBuffer buffer) {
        idle.add(buffer);
        permits.release();
        if (closed) {
            deregisterIdle();
        }
    }

    /** Deregisters the buffers, those in use when they are given back. */
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
