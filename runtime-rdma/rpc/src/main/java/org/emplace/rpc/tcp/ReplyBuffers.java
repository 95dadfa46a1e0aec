// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Direct buffers for the results of replies. Keeps some of those that were released, because the JVM fills a new one with zeros, and the kernel
 * makes its pages and takes them back. Their capacities are powers of two. Safe for use by several threads.
 */
final class ReplyBuffers {
    private static final int SMALLEST = 1 << 10;
    private static final int LARGEST = 1 << 22;

    private final List<Deque<ByteBuffer>> free = Stream.generate(() -> (Deque<ByteBuffer>) new ArrayDeque<ByteBuffer>())
            .limit(Integer.SIZE)
            .toList();
    private final long limit;
    private long kept;

    /** @param limit the most bytes to keep */
    ReplyBuffers(long limit) {
        this.limit = limit;
    }

    /** The capacity of the buffer for so many bytes. Larger ones than {@value #LARGEST} bytes are not kept. */
    static int capacity(int size) {
        if (size <= SMALLEST || size > LARGEST) {
            return Math.max(size, SMALLEST);
        }
        return Integer.highestOneBit(size - 1) << 1;
    }

    /** A buffer of this {@link #capacity}, whose content is undefined. Throws OutOfMemoryError if the JVM may allocate no more. */
    ByteBuffer acquire(int capacity) {
        synchronized (this) {
            ByteBuffer taken = capacity > LARGEST
                    ? null
                    : free.get(Integer.numberOfTrailingZeros(capacity)).pollLast();
            if (taken != null) {
                kept -= capacity;
                return taken;
            }
        }
        try {
            return ByteBuffer.allocateDirect(capacity);
        } catch (OutOfMemoryError exhausted) {
            // What is kept may be of other capacities.
            synchronized (this) {
                free.forEach(Deque::clear);
                kept = 0;
            }
            return ByteBuffer.allocateDirect(capacity);
        }
    }

    /** Gives a buffer back that nobody uses any more. */
    synchronized void release(ByteBuffer buffer) {
        if (buffer.capacity() <= LARGEST && kept + buffer.capacity() <= limit) {
            free.get(Integer.numberOfTrailingZeros(buffer.capacity())).addLast(buffer);
            kept += buffer.capacity();
        }
    }
}
