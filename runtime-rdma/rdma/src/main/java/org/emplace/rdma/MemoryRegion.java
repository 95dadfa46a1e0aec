// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Memory registered with a provider. While it is open, the region keeps its buffer reachable. {@link #close}
 * deregisters the memory but does not free it, so the buffer remains safe to use.
 */
public interface MemoryRegion extends AutoCloseable {

    /** Returns a new view of the registered bytes, with position 0 and limit {@link #length()}. */
    ByteBuffer buffer();

    /** The number of registered bytes. */
    int length();

    /** Whether the memory is still registered. */
    boolean isOpen();

    /**
     * Returns a part of this region.
     *
     * @param offset offset of the part in bytes
     * @param length length of the part in bytes
     * @throws IndexOutOfBoundsException if the part is not within the region
     */
    default MemorySegment segment(int offset, int length) {
        return new MemorySegment(this, offset, length);
    }

    /**
     * Deregisters the memory, without waiting. Remote access to it ends, and work requests that still name it fail.
     * Idempotent.
     */
    @Override
    void close();

    /**
     * A range of a memory region: the local memory of a work request.
     *
     * @param region the region
     * @param offset offset of the range in the region, in bytes
     * @param length length of the range in bytes
     */
    record MemorySegment(MemoryRegion region, int offset, int length) {

        /** @throws IndexOutOfBoundsException if the range is not within the region */
        public MemorySegment {
            Objects.checkFromIndexSize(offset, length, region.length());
        }

        /** Returns a new view of the range, with position 0 and limit {@link #length()}. */
        public ByteBuffer buffer() {
            return region.buffer().slice(offset, length);
        }

        /** Returns the total length of several segments in bytes. */
        public static long total(List<MemorySegment> segments) {
            long bytes = 0;
            for (int i = 0; i < segments.size(); i++) {
                bytes += segments.get(i).length();
            }
            return bytes;
        }
    }
}
