// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A range of a memory region: the local memory of a work request.
 *
 * @param region the region
 * @param offset offset of the range in the region, in bytes
 * @param length length of the range in bytes
 */
public record MemorySegment(MemoryRegion region, int offset, int length) {

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
