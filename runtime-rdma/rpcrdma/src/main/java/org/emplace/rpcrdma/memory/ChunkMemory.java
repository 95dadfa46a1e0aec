// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.MemoryRegion;

/**
 * The local memory of one chunk.
 *
 * @param segment the bytes
 * @param release frees what was acquired for this chunk only: deregisters the memory, or releases the staging buffer.
 *     Run it when neither the peer nor the provider accesses the memory any more
 */
public record ChunkMemory(MemorySegment segment, Runnable release) {

    /** Memory that stays registered after the chunk. */
    public static ChunkMemory lasting(MemorySegment segment) {
        return new ChunkMemory(segment, () -> {});
    }

    /** Memory registered for this chunk. */
    static ChunkMemory registered(MemoryRegion region) {
        return new ChunkMemory(region.segment(0, region.length()), region::close);
    }

    /** The first bytes of a staging buffer. */
    static ChunkMemory staged(PooledBuffer buffer, int length) {
        return new ChunkMemory(buffer.segment(0, length), buffer::release);
    }
}
