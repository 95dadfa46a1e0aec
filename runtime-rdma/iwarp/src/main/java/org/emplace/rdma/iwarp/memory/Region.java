// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.provider.RdmaCounters;

/** Registered memory. Software iWARP pins nothing, so a region consists of its buffer and the state of its registration. */
public final class Region implements MemoryRegion {
    /** The number of views that one connection uses at a time when it moves bulk data. */
    private static final int SPARE_LIMIT = 8;

    private final ByteBuffer bytes;
    /** Views that are not in use, kept so that a message need not create its own. */
    private final Deque<ByteBuffer> spare = new ArrayDeque<>(1);

    private final RdmaCounters counters;
    private final AtomicBoolean open = new AtomicBoolean(true);

    /**
     * Registers a direct buffer from its position to its limit.
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

    @Override
    public boolean isOpen() {
        return open.get();
    }

    /** Acquires a view of {@code length} bytes at {@code offset}. The caller {@linkplain #releaseView releases} it when nothing uses it any more. */
    public ByteBuffer acquireView(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.capacity());
        ByteBuffer view;
        synchronized (spare) {
            view = spare.poll();
        }
        return (view == null ? bytes.duplicate() : view).limit(offset + length).position(offset);
    }

    /** Releases a view that {@link #acquireView} returned. The garbage collector frees views that are not released. */
    public void releaseView(ByteBuffer view) {
        synchronized (spare) {
            if (spare.size() < SPARE_LIMIT) {
                spare.push(view);
            }
        }
    }

    /** Appends bytes to {@code target}. */
    public void copy(int offset, int length, ByteBuffer target) {
        int position = target.position();
        target.put(position, bytes, offset, length).position(position + length);
    }

    /** The region of a segment. @throws IllegalArgumentException if another provider registered it */
    public static Region of(MemorySegment segment) {
        if (segment.region() instanceof Region region) {
            return region;
        }
        throw new IllegalArgumentException("memory registered with another provider than software iWARP");
    }

    /** The region of a segment that is to be written. @throws IllegalArgumentException if another provider registered it or it is read-only */
    public static Region ofSink(MemorySegment segment) {
        Region region = of(segment);
        if (region.bytes.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be a sink");
        }
        return region;
    }
}
