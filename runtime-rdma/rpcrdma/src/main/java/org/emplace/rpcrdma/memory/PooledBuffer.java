// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rpcrdma.memory.RegisteredPool.SizeClass;
import org.emplace.xdr.XdrDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of a {@link RegisteredPool}. It belongs to its holder until {@link #release}. The next holder gets the same
 * object; but if assertions are enabled, another object for the same memory, so that every use by a former holder
 * fails, and what a former holder reads has been overwritten.
 */
public final class PooledBuffer {
    /** Whether to find uses by former holders. */
    private static final boolean CHECKS = PooledBuffer.class.desiredAssertionStatus();

    /** What is written over the bytes of former holders. */
    private static final long STALE = 0xdbdb_dbdb_dbdb_dbdbL;

    private final RegisteredPool pool;
    private final SizeClass.Slab slab;
    private final MemoryRegion region;
    private final int start;
    private final ByteBuffer view;
    /** What {@link #gather} returned last. */
    private List<MemorySegment> lastGather = List.of();
    /** The view that {@link #decoder} reads. */
    private @Nullable ByteBuffer received;

    private @Nullable XdrDecoder decoder;
    /** Changed by the pool, and by a holder that replaces the object. */
    private boolean held;

    /** Creates a buffer for {@code capacity} bytes of the region, from {@code start} on. */
    PooledBuffer(RegisteredPool pool, SizeClass.Slab slab, MemoryRegion region, int start, int capacity) {
        this.pool = pool;
        this.slab = slab;
        this.region = region;
        this.start = start;
        this.view = region.buffer().slice(start, capacity);
    }

    SizeClass.Slab slab() {
        return slab;
    }

    int capacity() {
        return view.capacity();
    }

    /** Returns a new view of the memory, with position 0. */
    public ByteBuffer buffer() {
        checkHeld();
        return view.duplicate().clear();
    }

    /** Returns the view of the memory that all holders share, with position 0. Must not be kept or passed on. */
    public ByteBuffer view() {
        checkHeld();
        return view.clear();
    }

    /**
     * Returns the decoder of the message that this buffer has received. The buffer has one decoder for all its holders;
     * each call of this method restarts it.
     *
     * @param length the length of the message in bytes
     */
    public XdrDecoder decoder(int length) {
        checkHeld();
        ByteBuffer bytes = received;
        XdrDecoder reading = decoder;
        if (bytes == null || reading == null) {
            bytes = buffer();
            reading = new XdrDecoder(bytes);
            received = bytes;
            decoder = reading;
        }
        reading.restart(bytes.clear().limit(length));
        return reading;
    }

    /**
     * Returns a part of the memory for a work request.
     *
     * @throws IndexOutOfBoundsException if the part is not within this buffer
     */
    public MemorySegment segment(int offset, int length) {
        checkHeld();
        Objects.checkFromIndexSize(offset, length, view.capacity());
        return region.segment(start + offset, length);
    }

    /**
     * Returns a part of the memory as the whole gather list of a work request. If the last call asked for the same part, returns the same
     * list as then: messages of one kind often have equal lengths.
     *
     * @throws IndexOutOfBoundsException if the part is not within this buffer
     */
    public List<MemorySegment> gather(int offset, int length) {
        checkHeld();
        List<MemorySegment> gather = lastGather;
        if (gather.isEmpty()
                || gather.get(0).offset() != start + offset
                || gather.get(0).length() != length) {
            gather = List.of(segment(offset, length));
            lastGather = gather;
        }
        return gather;
    }

    /**
     * Returns the buffer to the pool. Neither the holder nor the provider may access its memory any more. Call this
     * once: a second call may take the buffer from its next holder.
     */
    public void release() {
        checkHeld();
        assert overwrite();
        pool.release(this);
    }

    private void checkHeld() {
        assert held : "a pooled buffer is used after its release";
    }

    /** Overwrites the memory, of which nothing is used any more. Returns true, for an assertion. */
    public boolean overwrite() {
        ByteBuffer stale = view();
        while (stale.remaining() >= Long.BYTES) {
            stale.putLong(STALE);
        }
        return true;
    }

    /** Returns the object for the next holder of the memory: this one, or if uses by former holders are to be found, another in the same state. */
    public PooledBuffer next() {
        if (!CHECKS) {
            return this;
        }
        PooledBuffer next = new PooledBuffer(pool, slab, region, start, view.capacity());
        next.held = held;
        return next;
    }

    /** Called when another object has taken the place of this one, if it is another. */
    public void replacedBy(PooledBuffer next) {
        held = next == this;
    }

    /**
     * Sets whether the buffer is held.
     *
     * @return whether that is a change
     */
    boolean setHeld(boolean byNow) {
        boolean changed = held != byNow;
        held = byNow;
        return changed;
    }
}
