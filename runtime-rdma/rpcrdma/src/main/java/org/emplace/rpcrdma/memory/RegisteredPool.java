// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Predicate;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.jspecify.annotations.Nullable;

/**
 * A pool of registered buffers in which the transport sends, receives and stages data. Their sizes are powers of two,
 * and they are reused. Because each registration needs a system call, small buffers are parts of slabs, which are
 * registered as a whole; a large buffer is a slab by itself. One buffer in use keeps its slab registered, so at most an
 * eighth of the pool is in slabs of several buffers, except slabs of one page. If the pool reaches its limit, it
 * deregisters idle slabs; if there are none, acquiring a buffer fails. Safe for use by several threads. Memory is
 * allocated and registered without a lock, so threads that need a buffer at the same time may each register a slab.
 */
public final class RegisteredPool implements OutgoingMessage.Buffers {
    private static final int SMALLEST = 1024;
    private static final int LARGEST = 1 << 30;

    /** A slab has at most 1 MiB and at most 64 buffers, unless it is a single larger buffer. */
    private static final int SLAB_LENGTH = 1 << 20;

    private static final int SLAB_BUFFERS = 64;

    /** Which part of the limit slabs of several buffers may have: a peer that holds one buffer of each keeps them all, but its share counts only these buffers. */
    private static final int PART_FOR_SHARED_SLABS = 8;

    /** The length of other slabs of buffers that are shorter. */
    private static final int PAGE = 4096;

    private final RdmaProvider provider;
    private final long limit;
    /** By the binary logarithm of the size. */
    private final SizeClass[] sizes = new SizeClass[Integer.SIZE];

    /** The registered bytes, including those about to be registered. */
    private long registered;

    /** Those of slabs that several buffers share. */
    private long registeredInShared;

    /** The number of slabs about to be registered. */
    private int coming;

    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param limit the most bytes to register, used and idle
     */
    public RegisteredPool(RdmaProvider provider, long limit) {
        this.provider = provider;
        this.limit = limit;
        Arrays.setAll(sizes, size -> new SizeClass());
    }

    /**
     * Returns a buffer of at least {@code size} bytes, with undefined content. The caller releases it. The buffer does
     * not count toward a peer's share.
     *
     * @throws RdmaException with reason NO_RESOURCES if the limit is reached, the system does not register the memory or the
     *     pool is closed
     */
    @Override
    public PooledBuffer acquire(int size) throws RdmaException {
        int capacity = capacityFor(size);
        synchronized (this) {
            if (!closed && sizeClass(capacity).hasFree()) {
                return pop(capacity);
            }
        }
        leaveRoomInShared(capacity);
        int length;
        synchronized (this) {
            if (closed) {
                throw new RdmaException(RdmaException.Reason.NO_RESOURCES, "the runtime is closed");
            }
            if (findFreeOrRoom(capacity)) {
                return pop(capacity);
            }
            length = slabLength(capacity);
            count(length, capacity);
            coming++;
        }
        SizeClass.Slab slab = null;
        try {
            slab = new SizeClass.Slab(this, provider.register(allocate(length)), capacity);
        } finally {
            if (slab == null) {
                refused(length, capacity);
            }
        }
        return enter(slab, capacity);
    }

    /**
     * Allocates direct memory, which the garbage collector frees.
     *
     * @throws RdmaException with reason NO_RESOURCES if the JVM's limit of direct memory is reached
     */
    public static ByteBuffer allocate(int size) throws RdmaException {
        try {
            return ByteBuffer.allocateDirect(size);
        } catch (OutOfMemoryError exhausted) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "cannot allocate " + size + " bytes of direct memory; raise the limit with -XX:MaxDirectMemorySize",
                    exhausted);
        }
    }

    /**
     * Whether there is a free buffer for a size, so that no memory need be registered. Another thread may take it
     * meanwhile.
     */
    public synchronized boolean hasFree(int size) {
        return size <= LARGEST && sizeClass(Math.max(SMALLEST, roundUp(size))).hasFree();
    }

    /** The most bytes that the pool registers. */
    public long limit() {
        return limit;
    }

    synchronized void release(PooledBuffer buffer) {
        if (buffer.setHeld(false)) {
            sizeClass(buffer.capacity()).push(buffer);
            if (closed) {
                deregisterAllIdle();
            }
        }
    }

    /** Deregisters the memory: what is free at once, and the rest when it is released. Nothing is acquired afterward. */
    public synchronized void close() {
        closed = true;
        deregisterAllIdle();
    }

    private void deregisterAllIdle() {
        boolean more = true;
        while (more) {
            more = deregisterLargestIdle();
        }
    }

    /** Returns false if no slab is idle. */
    private boolean deregisterLargestIdle() {
        SizeClass.Slab slab = removeLargestIdle(any -> true);
        if (slab == null) {
            return false;
        }
        slab.deregister();
        return true;
    }

    /** Deregisters idle slabs that several buffers share, until there is room among these for a slab with as many buffers as possible. */
    private void leaveRoomInShared(int capacity) {
        long wanted = Math.min(Math.min(SLAB_LENGTH, (long) SLAB_BUFFERS * capacity), limit / PART_FOR_SHARED_SLABS);
        for (SizeClass.Slab slab = removeIdleShared(wanted); slab != null; slab = removeIdleShared(wanted)) {
            slab.deregister();
        }
    }

    private synchronized SizeClass.@Nullable Slab removeIdleShared(long wanted) {
        return roomInShared() < wanted ? removeLargestIdle(slab -> isShared(slab.length(), slab.capacity())) : null;
    }

    /** @param length of a slab of buffers with this capacity; negative if the slab is deregistered */
    private void count(int length, int capacity) {
        registered += length;
        registeredInShared += isShared(Math.abs(length), capacity) ? length : 0;
    }

    private static boolean isShared(int length, int capacity) {
        return length > Math.max(capacity, PAGE);
    }

    private SizeClass sizeClass(int capacity) {
        return sizes[Integer.numberOfTrailingZeros(capacity)];
    }

    private PooledBuffer pop(int capacity) {
        PooledBuffer taken = sizeClass(capacity).pop();
        taken.setHeld(true);
        return taken;
    }

    private synchronized PooledBuffer enter(SizeClass.Slab slab, int capacity) {
        coming--;
        notifyAll();
        sizeClass(capacity).add(slab);
        return pop(capacity);
    }

    private synchronized void refused(int length, int capacity) {
        coming--;
        count(-length, capacity);
        notifyAll();
    }

    /**
     * Returns true if there is a free buffer, or false if there is room for another slab. If there is neither, waits
     * for slabs that other threads are registering.
     */
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
                    // The other thread's registration takes little time; the interrupt status is restored after it.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The length of a new slab. Near the limits, it has fewer buffers. */
    private int slabLength(int capacity) {
        long room = Math.min(Math.min(SLAB_LENGTH, Math.max(PAGE, roomInShared())), limit - registered);
        return capacity * (int) Math.max(1, Math.min(SLAB_BUFFERS, room / capacity));
    }

    private long roomInShared() {
        return limit / PART_FOR_SHARED_SLABS - registeredInShared;
    }

    /** Whether there is room for a buffer. Deregisters idle slabs if necessary. */
    private boolean hasRoomFor(int capacity) {
        while (registered + capacity > limit) {
            if (!deregisterLargestIdle()) {
                return false;
            }
        }
        return true;
    }

    private SizeClass.@Nullable Slab removeLargestIdle(Predicate<SizeClass.Slab> which) {
        for (int size = sizes.length - 1; size >= 0; size--) {
            SizeClass.Slab slab = sizes[size].removeIdle(which);
            if (slab != null) {
                count(-slab.length(), slab.capacity());
                return slab;
            }
        }
        return null;
    }

    /**
     * Returns the capacity in bytes of the buffer for a size.
     *
     * @throws RdmaException with reason NO_RESOURCES if the size exceeds the largest buffer
     */
    public static int capacityFor(int size) throws RdmaException {
        if (size > LARGEST) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "a part of a message has " + size + " bytes, but a buffer can have at most " + LARGEST);
        }
        return Math.max(SMALLEST, roundUp(size));
    }

    private static int roundUp(int size) {
        return Integer.highestOneBit(Math.max(1, size - 1)) << 1;
    }

    /**
     * The slabs with free buffers of one size. Partly used slabs are used first, so that others stay idle. Guarded by the
     * pool.
     */
    static final class SizeClass {
        private final Deque<Slab> partlyUsed = new ArrayDeque<>();
        private final Deque<Slab> idle = new ArrayDeque<>();

        /** Whether there is a free buffer. */
        boolean hasFree() {
            return !partlyUsed.isEmpty() || !idle.isEmpty();
        }

        /** Removes and returns a free buffer, which must exist. */
        PooledBuffer pop() {
            if (partlyUsed.isEmpty()) {
                partlyUsed.push(idle.pop());
            }
            Slab slab = partlyUsed.element();
            PooledBuffer taken = slab.pop();
            if (slab.isFull()) {
                partlyUsed.pop();
            }
            return taken;
        }

        /** Returns a buffer. */
        void push(PooledBuffer buffer) {
            Slab slab = buffer.slab();
            boolean wasFull = slab.isFull();
            slab.push(buffer);
            if (slab.isIdle()) {
                if (!wasFull) {
                    partlyUsed.remove(slab);
                }
                idle.push(slab);
            } else if (wasFull) {
                partlyUsed.push(slab);
            }
        }

        /** Adds an idle slab. */
        void add(Slab slab) {
            idle.push(slab);
        }

        /** Removes and returns an idle slab; null if there is none. */
        @Nullable
        Slab removeIdle(Predicate<Slab> which) {
            for (Slab slab : idle) {
                if (which.test(slab)) {
                    idle.remove(slab);
                    return slab;
                }
            }
            return null;
        }

        /** One registration, divided into buffers of one size. Guarded by its pool. */
        static final class Slab {
            private final MemoryRegion region;
            private final @Nullable PooledBuffer[] free;
            private int freeCount;

            private final int capacity;

            /** @param capacity size of each buffer in bytes, which divides the length of the region */
            Slab(RegisteredPool pool, MemoryRegion region, int capacity) {
                this.region = region;
                this.capacity = capacity;
                free = new PooledBuffer[region.length() / capacity];
                while (freeCount < free.length) {
                    free[freeCount] = new PooledBuffer(pool, this, region, freeCount * capacity, capacity);
                    freeCount++;
                }
            }

            /** The number of registered bytes. */
            int length() {
                return region.length();
            }

            /** The size of each buffer in bytes. */
            int capacity() {
                return capacity;
            }

            /** Removes and returns a free buffer, which must exist. */
            PooledBuffer pop() {
                PooledBuffer free = this.free[freeCount - 1];
                if (free == null) {
                    throw new IllegalStateException("the slab has no free buffer");
                }
                PooledBuffer taken = free.next();
                this.free[--freeCount] = null;
                return taken;
            }

            /** Returns a buffer. */
            void push(PooledBuffer buffer) {
                free[freeCount++] = buffer;
            }

            boolean isFull() {
                return freeCount == 0;
            }

            boolean isIdle() {
                return freeCount == free.length;
            }

            void deregister() {
                region.close();
            }
        }
    }
}
