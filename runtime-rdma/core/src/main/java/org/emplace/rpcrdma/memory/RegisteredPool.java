// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;

/**
 * Registered memory for what this transport itself sends, receives and stages: buffers in sizes of powers of two, registered once and
 * used again. Bounded: past the limit idle buffers are deregistered, and when there are none left an acquisition fails. Safe for use by
 * several threads.
 */
public final class RegisteredPool {
    private static final int SMALLEST = 1024;

    private final RdmaProvider provider;
    private final long limit;
    private final TreeMap<Integer, Deque<MemoryRegion>> idle = new TreeMap<>();
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
        Deque<MemoryRegion> regions = idle.get(capacity);
        if (regions != null && !regions.isEmpty()) {
            return new PooledBuffer(this, regions.pop());
        }
        dropIdleUntilRoomFor(capacity);
        MemoryRegion region = provider.register(allocate(capacity));
        registered += capacity;
        return new PooledBuffer(this, region);
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

    synchronized void release(MemoryRegion region) {
        idle.computeIfAbsent(region.length(), capacity -> new ArrayDeque<>()).push(region);
    }

    private void dropIdleUntilRoomFor(int capacity) throws RdmaException {
        while (registered + capacity > limit) {
            Map.Entry<Integer, Deque<MemoryRegion>> largest = idle.lastEntry();
            if (largest == null) {
                throw new RdmaException(
                        RdmaException.Reason.NO_RESOURCES,
                        "calls in flight hold all " + limit
                                + " bytes of pooled registered memory; make fewer calls at a time");
            }
            MemoryRegion region = largest.getValue().poll();
            if (region == null) {
                idle.remove(largest.getKey());
            } else {
                region.close();
                registered -= region.length();
            }
        }
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
