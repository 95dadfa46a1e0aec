// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;

/** One grant of remote access: a row of an {@link AccessTable}, and how many transfers are using it now. */
public final class Exposure implements RemoteAccess {

    /** Fences exposures on the connection's event loop. */
    @FunctionalInterface
    public interface Fencing {
        /** Sees to it that {@link #fenced} is called soon, once no transfer uses the exposure. */
        void fence(Exposure exposure);
    }

    /** What is wrong with an access. */
    public enum Fault {
        NONE,
        WRAP,
        BOUNDS
    }

    private static final CompletionStage<Void> FENCED = CompletableFuture.completedStage(null);

    private final int stag;
    private final long base;
    private final MemorySegment segment;
    private final Region region;
    private final Right right;
    private final Fencing fencing;
    private final Runnable ended;
    private final AtomicBoolean revoked = new AtomicBoolean();
    private final CompletableFuture<Void> fence = new CompletableFuture<>();
    private int transfers;

    Exposure(int stag, long base, MemorySegment segment, Region region, Right right, Fencing fencing, Runnable ended) {
        this.stag = stag;
        this.base = base;
        this.segment = segment;
        this.region = region;
        this.right = right;
        this.fencing = fencing;
        this.ended = ended;
    }

    int stag() {
        return stag;
    }

    /** Whether a transfer may begin. */
    boolean isLive() {
        return !revoked.get() && region.isOpen();
    }

    /** Whether this is the right that was granted. */
    public boolean allows(Right wanted) {
        return right == wanted;
    }

    @Override
    public RemoteSegment advertised() {
        return new RemoteSegment(stag, base, segment.length());
    }

    @Override
    public CompletionStage<Void> revoke() {
        if (revoked.compareAndSet(false, true)) {
            fencing.fence(this);
        }
        return fence.isDone() ? FENCED : fence.minimalCompletionStage();
    }

    /** Whether {@code length} bytes at the peer's {@code offset} lie within: 64-bit unsigned arithmetic, nothing can overflow. */
    public Fault check(long offset, long length) {
        if (Long.compareUnsigned(offset + length, offset) < 0) {
            return Fault.WRAP;
        }
        long first = offset - base;
        boolean within = Long.compareUnsigned(first, segment.length()) <= 0 && length <= segment.length() - first;
        return within ? Fault.NONE : Fault.BOUNDS;
    }

    /** The memory at the peer's {@code offset}, of a range that {@link #check} found good. */
    public MemorySegment range(long offset, int length) {
        return new MemorySegment(region, segment.offset() + (int) (offset - base), length);
    }

    /** Lends the memory at the peer's {@code offset}, of a range that {@link #check} found good; see {@link Region#lend}. */
    public ByteBuffer lend(long offset, int length) {
        return region.lend(segment.offset() + (int) (offset - base), length);
    }

    /** The region that lends. */
    public Region region() {
        return region;
    }

    /** On the loop: a placement or a Read Response begins to use the memory. */
    public void begin() {
        transfers++;
    }

    /** On the loop: it has ended. */
    public void end() {
        transfers--;
        if (revoked.get() && transfers == 0) {
            fenced();
        }
    }

    /** On the loop: whether a transfer uses the memory. */
    public boolean isUsed() {
        return transfers > 0;
    }

    /** Whether {@link #fenced} has been called. */
    public boolean isFenced() {
        return fence.isDone();
    }

    /** Frees the memory for other use. Called on the loop, or instead of telling any peer of the exposure. Idempotent. */
    public void fenced() {
        if (!fence.isDone()) {
            ended.run();
            fence.complete(null);
        }
    }
}
