// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** A range of a region: the local side of a work request. */
public record MemorySegment(MemoryRegion region, int offset, int length) {

    /** @throws IndexOutOfBoundsException if the range is not within the region */
    public MemorySegment {
        Objects.checkFromIndexSize(offset, length, region.length());
    }

    /** The bytes of the range, position 0, limit {@link #length()}; a new view each time. */
    public ByteBuffer buffer() {
        return region.buffer().slice(offset, length);
    }

    /** The bytes of several. */
    public static long total(List<MemorySegment> segments) {
        long bytes = 0;
        for (int i = 0; i < segments.size(); i++) {
            bytes += segments.get(i).length();
        }
        return bytes;
    }
}
