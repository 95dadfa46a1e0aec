// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.xdr.Payload;

/** A payload in registered memory, which a chunk moves without a copy. */
public final class RegionPayload implements Payload {
    private final RdmaMemory domain;
    private final MemorySegment segment;

    /**
     * Creates a payload for a whole segment.
     *
     * @param domain the memory with which the segment is registered
     * @param segment must stay registered while the payload is used
     */
    public RegionPayload(RdmaMemory domain, MemorySegment segment) {
        this.domain = domain;
        this.segment = segment;
    }

    boolean isOf(RdmaMemory memory) {
        return domain == memory;
    }

    MemorySegment segment() {
        return segment;
    }

    @Override
    public long length() {
        return segment.length();
    }

    @Override
    public ByteBuffer buffer() {
        return segment.buffer().asReadOnlyBuffer();
    }

    @Override
    public CompletionStage<Void> fetchInto(ByteBuffer sink) {
        return Payload.of(segment.buffer()).fetchInto(sink);
    }

    @Override
    public String toString() {
        return "Payload[" + length() + " registered bytes]";
    }
}
