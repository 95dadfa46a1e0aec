// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.Procedure;

/** Adds up what one call moves; see {@link CallReport} for what each number means. Safe for use by several threads. */
public final class CallTally {
    /** Adds nothing up: for calls that nobody observes. */
    public static final CallTally NONE = new CallTally(false);

    private final boolean counts;
    private long inlineBytes;
    private long readChunkBytes;
    private long positionZeroBytes;
    private long writeChunkBytes;
    private long replyChunkBytes;
    private long copies;
    private long copiedBytes;

    /** Nothing moved yet. */
    public CallTally() {
        this(true);
    }

    private CallTally(boolean counts) {
        this.counts = counts;
    }

    /** RPC message bytes went inline. */
    public void inline(long bytes) {
        if (counts) {
            synchronized (this) {
                inlineBytes += bytes;
            }
        }
    }

    /** The peer pulled an argument. */
    public void readChunk(long bytes) {
        if (counts) {
            synchronized (this) {
                readChunkBytes += bytes;
            }
        }
    }

    /** The peer pulled the call message, or the rest of it. */
    public void positionZero(long bytes) {
        if (counts) {
            synchronized (this) {
                positionZeroBytes += bytes;
            }
        }
    }

    /** The peer placed a result. */
    public void writeChunk(long bytes) {
        if (counts) {
            synchronized (this) {
                writeChunkBytes += bytes;
            }
        }
    }

    /** The peer placed the reply message, or the rest of it. */
    public void replyChunk(long bytes) {
        if (counts) {
            synchronized (this) {
                replyChunkBytes += bytes;
            }
        }
    }

    /** Our code copied a payload once. */
    public void copy(long bytes) {
        if (counts) {
            synchronized (this) {
                copies++;
                copiedBytes += bytes;
            }
        }
    }

    synchronized CallReport report(Procedure<?, ?> procedure, Duration elapsed, boolean succeeded) {
        return new CallReport(
                procedure,
                inlineBytes,
                readChunkBytes,
                positionZeroBytes,
                writeChunkBytes,
                replyChunkBytes,
                copies,
                copiedBytes,
                elapsed,
                succeeded);
    }
}
