// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.TreeMap;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory for what this transport itself sends, receives and stages: buffers in sizes of powers of two, registered once and
 * used again. A registration costs a system call, so small buffers are cut from slabs that are registered as a whole; a large buffer is a
 * slab of its own. Bounded: past the limit idle slabs are deregistered, and when there are none left an acquisition fails. Safe for use by
 * several threads.
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
    private long registered;

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
    public synchronized PooledBuffer acquire(int size) throws RdmaException {
        int capacity = capacityFor(size);
        SizeClass sizeClass = sizes.computeIfAbsent(capacity, absent -> new SizeClass());
        Slab slab = sizeClass.slab();
        if (slab == null) {
            slab = register(capacity);
        }
        boolean wasIdle = slab.isIdle();
        int start = slab.take();
        sizeClass.changed(slab, wasIdle);
        return new PooledBuffer(this, slab, start);
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
        SizeClass sizeClass = sizes.computeIfAbsent(slab.capacity(), absent -> new SizeClass());
        slab.giveBack(start);
        sizeClass.changed(slab, false);
    }

    /** Near the limit a slab gets fewer buffers. */
    private Slab register(int capacity) throws RdmaException {
        dropIdleUntilRoomFor(capacity);
        long room = Math.min(SLAB_LENGTH, limit - registered);
        int buffers = (int) Math.max(1, Math.min(SLAB_BUFFERS, room / capacity));
        int length = buffers * capacity;
        Slab slab = new Slab(provider.register(allocate(length)), capacity);
        registered += length;
        return slab;
    }

    private void dropIdleUntilRoomFor(int capacity) throws RdmaException {
        while (registered + capacity > limit) {
            Slab slab = largestIdle();
            if (slab == null) {
                throw new RdmaException(
                        RdmaException.Reason.NO_RESOURCES,
                        "calls in flight hold all " + limit
                                + " bytes of pooled registered memory; make fewer calls at a time");
            }
            slab.deregister();
            registered -= slab.length();
        }
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
