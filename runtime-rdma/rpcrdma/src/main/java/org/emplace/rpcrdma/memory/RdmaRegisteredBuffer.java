// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.xdr.Payload;

/** Memory that an application has registered. */
public final class RdmaRegisteredBuffer implements RegisteredBuffer {
    private final RdmaMemory domain;
    private final MemoryRegion region;
    private volatile boolean closed;

    RdmaRegisteredBuffer(RdmaMemory domain, MemoryRegion region) {
        this.domain = domain;
        this.region = region;
    }

    /** Whether this memory is registered with {@code memory}, so that its connections can use it. */
    public boolean isOf(RdmaMemory memory) {
        return domain == memory;
    }

    /** Returns a part of the memory for a work request. */
    public MemorySegment segment(int offset, int length) {
        return region.segment(offset, length);
    }

    @Override
    public ByteBuffer buffer() {
        return region.buffer();
    }

    @Override
    public int length() {
        return region.length();
    }

    @Override
    public Payload payload(int offset, int length) {
        if (closed) {
            throw new IllegalStateException("the buffer has been closed, so it is no longer registered");
        }
        return new RegionPayload(domain, region.segment(offset, length));
    }

    @Override
    public void close() {
        closed = true;
        region.close();
    }
}
