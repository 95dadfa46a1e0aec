// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaCounters;

/** Registered memory. Software needs no pinning: a region is its buffer and whether it is still registered. */
public final class Region implements MemoryRegion {
    private final ByteBuffer bytes;
    private final RdmaCounters counters;
    private final AtomicBoolean open = new AtomicBoolean(true);

    /**
     * Registers all of a direct buffer, from its position to its limit.
     *
     * @param counters told of the deregistration
     */
    public Region(ByteBuffer direct, RdmaCounters counters) {
        bytes = direct.slice();
        this.counters = counters;
    }

    @Override
    public ByteBuffer buffer() {
        return bytes.duplicate();
    }

    @Override
    public int length() {
        return bytes.capacity();
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            counters.deregistered(length());
        }
    }

    /** Whether the memory is still registered. */
    public boolean isOpen() {
        return open.get();
    }

    /** A new view of {@code length} bytes of a segment, from {@code offset} on. */
    public static ByteBuffer bytes(MemorySegment segment, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, segment.length());
        return of(segment).bytes.slice(segment.offset() + offset, length);
    }

    /** The region of a segment. @throws IllegalArgumentException if another provider registered it */
    public static Region of(MemorySegment segment) {
        if (segment.region() instanceof Region region) {
            return region;
        }
        throw new IllegalArgumentException("memory registered with another provider than software iWARP");
    }

    /** The region of a segment that is to be filled. @throws IllegalArgumentException if another provider registered it, or it is read-only */
    public static Region ofSink(MemorySegment segment) {
        Region region = of(segment);
        if (region.bytes.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be a sink");
        }
        return region;
    }
}
