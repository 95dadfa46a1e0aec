// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory for what this transport itself sends, receives and stages: buffers in sizes of powers of two, registered once and
 * used again. A registration costs a system call, so small buffers are cut from slabs that are registered as a whole; a large buffer is a
 * slab of its own. Bounded: past the limit idle slabs are deregistered, and when there are none left an acquisition fails. Safe for use by
 * several threads: memory is allocated and registered without a lock held, so threads that need a buffer at the same time may register a slab each.
 */
public final class RegisteredPool implements MessageBuffers {
    private static final int SMALLEST = 1024;
    private static final int LARGEST = 1 << 30;

    /** A slab is at most 1 MiB long and has at most 64 buffers, unless it is one larger buffer. */
    private static final int SLAB_LENGTH = 1 << 20;

    private static final int SLAB_BUFFERS = 64;

    private final RdmaProvider provider;
    private final long limit;
    /** By the binary logarithm of the size. */
    private final SizeClass[] sizes = new SizeClass[Integer.SIZE];

    /** Bytes, with those that are about to be registered. */
    private long registered;

    /** Slabs that are about to be registered. */
    private int coming;

    /**
     * An empty pool.
     *
     * @param limit bytes to have registered at most, in use and idle
     */
    public RegisteredPool(RdmaProvider provider, long limit) {
        this.provider = provider;
        this.limit = limit;
        Arrays.setAll(sizes, size -> new SizeClass());
    }

    /**
     * Takes a buffer of at least {@code size} bytes, contents undefined.
     *
     * @throws RdmaException with reason NO_RESOURCES if the limit is reached or the system refuses
     */
    public PooledBuffer acquire(int size) throws RdmaException {
        int capacity = capacityFor(size);
        int length;
        synchronized (this) {
            if (findFreeOrRoom(capacity)) {
                return take(capacity);
            }
            length = slabLength(capacity);
            registered += length;
            coming++;
        }
        Slab slab = null;
        try {
            slab = new Slab(this, provider.register(allocate(length)), capacity);
        } finally {
            if (slab == null) {
                refused(length);
            }
        }
        return enter(slab, capacity);
    }

    /** As {@link #acquire}; not counted against any peer's share. */
    @Override
    public PooledBuffer messageBuffer(int size) throws RdmaException {
        return acquire(size);
    }

    /**
     * Direct memory that the garbage collector owns.
     *
     * @throws RdmaException with reason NO_RESOURCES if the JVM has no more of it
     */
    public static ByteBuffer allocate(int size) throws RdmaException {
        try {
            return ByteBuffer.allocateDirect(size);
        } catch (OutOfMemoryError exhausted) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "no direct memory left for " + size + " bytes; -XX:MaxDirectMemorySize allows more",
                    exhausted);
        }
    }

    /** Whether a buffer for a size can be had without registering memory first; another thread may take it meanwhile. */
    public synchronized boolean hasFree(int size) {
        return size <= LARGEST && sizeClass(Math.max(SMALLEST, roundUp(size))).hasFree();
    }

    /** Bytes that the pool may have registered. */
    public long limit() {
        return limit;
    }

    synchronized void release(PooledBuffer buffer) {
        if (buffer.setHeld(false)) {
            sizeClass(buffer.capacity()).giveBack(buffer);
        }
    }

    private SizeClass sizeClass(int capacity) {
        return sizes[Integer.numberOfTrailingZeros(capacity)];
    }

    private PooledBuffer take(int capacity) {
        PooledBuffer taken = sizeClass(capacity).take();
        taken.setHeld(true);
        return taken;
    }

    private synchronized PooledBuffer enter(Slab slab, int capacity) {
        coming--;
        notifyAll();
        sizeClass(capacity).add(slab);
        return take(capacity);
    }

    private synchronized void refused(int length) {
        coming--;
        registered -= length;
        notifyAll();
    }

    /** Whether there is a free buffer; else there is room for another slab. If there is neither, one that another thread registers may help. */
    private boolean findFreeOrRoom(int capacity) throws RdmaException {
        boolean interrupted = false;
        try {
            while (true) {
                boolean free = sizeClass(capacity).hasFree();
                if (free || hasRoomFor(capacity)) {
                    return free;
                }
                if (coming == 0) {
                    throw new RdmaException(
                            RdmaException.Reason.NO_RESOURCES,
                            "calls in flight hold all " + limit
                                    + " bytes of pooled registered memory; make fewer calls at a time");
                }
                try {
                    wait();
                } catch (InterruptedException later) {
                    // The other thread's registration does not take long. Then the caller is told of the interruption.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Near the limit a slab gets fewer buffers. */
    private int slabLength(int capacity) {
        long room = Math.min(SLAB_LENGTH, limit - registered);
        return capacity * (int) Math.max(1, Math.min(SLAB_BUFFERS, room / capacity));
    }

    /** Whether there is room, if need be in place of idle slabs. */
    private boolean hasRoomFor(int capacity) {
        while (registered + capacity > limit) {
            Slab slab = largestIdle();
            if (slab == null) {
                return false;
            }
            slab.deregister();
            registered -= slab.length();
        }
        return true;
    }

    private @Nullable Slab largestIdle() {
        for (int size = sizes.length - 1; size >= 0; size--) {
            Slab slab = sizes[size].takeIdle();
            if (slab != null) {
                return slab;
            }
        }
        return null;
    }

    /**
     * Bytes that the buffer for a size takes of the limit.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no buffer so large
     */
    public static int capacityFor(int size) throws RdmaException {
        if (size > LARGEST) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "a message part of " + size + " bytes is more than one buffer can hold");
        }
        return Math.max(SMALLEST, roundUp(size));
    }

    private static int roundUp(int size) {
        return Integer.highestOneBit(Math.max(1, size - 1)) << 1;
    }
}
