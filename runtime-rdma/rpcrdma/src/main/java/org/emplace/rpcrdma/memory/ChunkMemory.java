// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;

/**
 * The memory of one chunk on this side.
 *
 * @param segment the bytes
 * @param release undoes what had to be done for the chunk alone: deregisters memory, or gives a staging buffer back. Only after the peer
 *     and the provider are done with the memory
 */
public record ChunkMemory(MemorySegment segment, Runnable release) {

    /** Memory that stays registered. */
    public static ChunkMemory lasting(MemorySegment segment) {
        return new ChunkMemory(segment, () -> {});
    }

    /** Memory that was registered for this chunk. */
    static ChunkMemory registered(MemoryRegion region) {
        return new ChunkMemory(region.segment(0, region.length()), region::close);
    }

    /** The first bytes of a staging buffer. */
    static ChunkMemory staged(PooledBuffer buffer, int length) {
        return new ChunkMemory(buffer.segment(0, length), buffer::release);
    }
}
