// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException;

/** Counts what one call moves; see {@link CallReport} for what each number means. Safe for use by several threads. */
public final class CallCounters {
    /** Counts nothing: for calls that nobody observes. */
    public static final CallCounters NONE = new CallCounters(false);

    private final boolean counts;
    private final AtomicLong inlineBytes = new AtomicLong();
    private final AtomicLong readChunkBytes = new AtomicLong();
    private final AtomicLong positionZeroBytes = new AtomicLong();
    private final AtomicLong writeChunkBytes = new AtomicLong();
    private final AtomicLong replyChunkBytes = new AtomicLong();
    private final AtomicLong copies = new AtomicLong();
    private final AtomicLong copiedBytes = new AtomicLong();

    /** Nothing moved yet. */
    public CallCounters() {
        this(true);
    }

    private CallCounters(boolean counts) {
        this.counts = counts;
    }

    /** RPC message bytes went inline. */
    public void inline(long bytes) {
        add(inlineBytes, bytes);
    }

    /** The peer pulled an argument. */
    public void readChunk(long bytes) {
        add(readChunkBytes, bytes);
    }

    /** The peer pulled the call message, or the rest of it. */
    public void positionZero(long bytes) {
        add(positionZeroBytes, bytes);
    }

    /** The peer placed a result. */
    public void writeChunk(long bytes) {
        add(writeChunkBytes, bytes);
    }

    /** The peer placed the reply message, or the rest of it. */
    public void replyChunk(long bytes) {
        add(replyChunkBytes, bytes);
    }

    /** Our code copied a payload once. */
    public void copy(long bytes) {
        add(copies, 1);
        add(copiedBytes, bytes);
    }

    private void add(AtomicLong counter, long more) {
        if (counts) {
            counter.addAndGet(more);
        }
    }

    CallReport report(Procedure<?, ?> procedure, Duration elapsed, Optional<RpcException.Kind> failure) {
        return new CallReport(
                procedure,
                inlineBytes.get(),
                readChunkBytes.get(),
                positionZeroBytes.get(),
                writeChunkBytes.get(),
                replyChunkBytes.get(),
                copies.get(),
                copiedBytes.get(),
                elapsed,
                failure);
    }
}
