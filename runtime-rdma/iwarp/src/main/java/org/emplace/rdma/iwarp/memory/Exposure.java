// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.jspecify.annotations.Nullable;

/** One grant of remote access: an entry of an {@link AccessTable}, with the number of transfers that use it now. */
public final class Exposure implements RemoteAccess {

    /** Fences exposures on the connection's event loop. */
    @FunctionalInterface
    public interface Fencing {
        /** Arranges that {@link #fenced} is called once no transfer uses the exposure. */
        void fence(Exposure exposure);
    }

    /** Why an access is not allowed. */
    public enum Fault {
        NONE,
        WRAP,
        BOUNDS
    }

    private final int stag;
    private final long base;
    private final MemorySegment segment;
    private final Region region;
    private final Right right;
    private final Fencing fencing;
    private final Runnable ended;
    private int transfers;
    /** Written with this object's lock held, as is the next field. */
    private volatile boolean revoked;

    private volatile boolean fenced;
    /** What waits for {@link #fenced}; null if nothing does. Guarded by this object. */
    private @Nullable CompletableFuture<Void> fence;

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

    /** Whether a transfer may begin: neither is the access revoked nor the region closed. */
    boolean isLive() {
        return !revoked && region.isOpen();
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
        if (isFirstRevocation()) {
            fencing.fence(this);
        }
        synchronized (this) {
            if (fenced) {
                return FENCED;
            }
            if (fence == null) {
                fence = new CompletableFuture<>();
            }
            return fence.minimalCompletionStage();
        }
    }

    private synchronized boolean isFirstRevocation() {
        boolean first = !revoked;
        revoked = true;
        return first;
    }

    /** Checks {@code length} bytes at the peer's {@code offset} against the bounds, in unsigned 64-bit arithmetic without overflow. */
    public Fault check(long offset, long length) {
        if (Long.compareUnsigned(offset + length, offset) < 0) {
            return Fault.WRAP;
        }
        long first = offset - base;
        boolean within = Long.compareUnsigned(first, segment.length()) <= 0 && length <= segment.length() - first;
        return within ? Fault.NONE : Fault.BOUNDS;
    }

    /** The memory at the peer's {@code offset}. The range must have passed {@link #check}. */
    public MemorySegment range(long offset, int length) {
        return new MemorySegment(region, segment.offset() + (int) (offset - base), length);
    }

    /** Acquires a view of the memory at the peer's {@code offset}; see {@link Region#acquireView}. The range must have passed {@link #check}. */
    public ByteBuffer acquireView(long offset, int length) {
        return region.acquireView(segment.offset() + (int) (offset - base), length);
    }

    /** The region of the memory. */
    public Region region() {
        return region;
    }

    /** On the loop: a placement or a Read Response starts to use the memory. */
    public void transferStarted() {
        transfers++;
    }

    /** On the loop: the placement or Read Response has ended. */
    public void transferCompleted() {
        transfers--;
        if (revoked && transfers == 0) {
            fenced();
        }
    }

    /** On the loop: whether a transfer uses the memory. */
    public boolean isUsed() {
        return transfers > 0;
    }

    /** Whether {@link #fenced} has been called. */
    public boolean isFenced() {
        return fenced;
    }

    /** Completes the revocation, so that the memory can be reused. Called on the loop, or for an exposure that was never advertised. Idempotent. */
    public void fenced() {
        CompletableFuture<Void> waiting;
        synchronized (this) {
            if (fenced) {
                return;
            }
            fenced = true;
            waiting = fence;
        }
        ended.run();
        if (waiting != null) {
            waiting.complete(null);
        }
    }
}
