// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.TreeMap;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory for what this transport itself sends, receives and stages: buffers in sizes of powers of two, registered once and
 * used again. A registration costs a system call, so small buffers are cut from slabs that are registered as a whole; a large buffer is a
 * slab of its own. Bounded: past the limit idle slabs are deregistered, and when there are none left an acquisition fails. Safe for use by
 * several threads: memory is allocated and registered without a lock held, so threads that need a buffer at the same time may register a slab each.
 */
public final class RegisteredPool {
    private static final int SMALLEST = 1024;

    /** A slab is no longer than this, unless it is a single buffer, */
    private static final int SLAB_LENGTH = 1 << 20;
    /** and has no more buffers than this: a connection has about as many Receives. */
    private static final int SLAB_BUFFERS = 64;

    private final RdmaProvider provider;
    private final long limit;
    private final TreeMap<Integer, SizeClass> sizes = new TreeMap<>();
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
            Slab free = slabOrRoom(capacity);
            if (free != null) {
                return take(free);
            }
            length = slabLength(capacity);
            registered += length;
            coming++;
        }
        MemoryRegion region = null;
        try {
            region = provider.register(allocate(length));
        } finally {
            if (region == null) {
                refused(length);
            }
        }
        return enter(new Slab(region, capacity));
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

    synchronized void release(Slab slab, int start) {
        slab.giveBack(start);
        sizeClass(slab.capacity()).changed(slab, false);
    }

    private SizeClass sizeClass(int capacity) {
        return sizes.computeIfAbsent(capacity, absent -> new SizeClass());
    }

    private PooledBuffer take(Slab slab) {
        boolean wasIdle = slab.isIdle();
        int start = slab.take();
        sizeClass(slab.capacity()).changed(slab, wasIdle);
        return new PooledBuffer(this, slab, start);
    }

    private synchronized PooledBuffer enter(Slab slab) {
        coming--;
        notifyAll();
        return take(slab);
    }

    private synchronized void refused(int length) {
        coming--;
        registered -= length;
        notifyAll();
    }

    /** A slab with a free buffer; null if there is room for another slab. If there is neither, one that another thread registers may help. */
    private synchronized @Nullable Slab slabOrRoom(int capacity) throws RdmaException {
        try {
            while (true) {
                Slab free = sizeClass(capacity).slab();
                if (free != null || hasRoomFor(capacity)) {
                    return free;
                }
                if (coming == 0) {
                    throw new RdmaException(
                            RdmaException.Reason.NO_RESOURCES,
                            "calls in flight hold all " + limit
                                    + " bytes of pooled registered memory; make fewer calls at a time");
                }
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "interrupted while waiting for pooled registered memory",
                    interrupted);
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
        for (SizeClass sizeClass : sizes.descendingMap().values()) {
            Slab slab = sizeClass.takeIdle();
            if (slab != null) {
                return slab;
            }
        }
        return null;
    }

    private static int capacityFor(int size) throws RdmaException {
        if (size > 1 << 30) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "a message part of " + size + " bytes is more than one buffer can hold");
        }
        return Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, size - 1)) << 1);
    }
}
