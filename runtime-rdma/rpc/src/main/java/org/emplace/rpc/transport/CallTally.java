// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.Procedure;

/** Adds up what one call moves; see {@link CallReport} for what each number means. Safe for use by several threads. */
public final class CallTally {
    private long inlineBytes;
    private long readChunkBytes;
    private long positionZeroBytes;
    private long writeChunkBytes;
    private long replyChunkBytes;
    private long copies;
    private long copiedBytes;

    /** Nothing moved yet. */
    public CallTally() {}

    /** RPC message bytes went inline. */
    public synchronized void inline(long bytes) {
        inlineBytes += bytes;
    }

    /** The peer pulled an argument. */
    public synchronized void readChunk(long bytes) {
        readChunkBytes += bytes;
    }

    /** The peer pulled the call message, or the rest of it. */
    public synchronized void positionZero(long bytes) {
        positionZeroBytes += bytes;
    }

    /** The peer placed a result. */
    public synchronized void writeChunk(long bytes) {
        writeChunkBytes += bytes;
    }

    /** The peer placed the reply message, or the rest of it. */
    public synchronized void replyChunk(long bytes) {
        replyChunkBytes += bytes;
    }

    /** Our code copied a payload once. */
    public synchronized void copy(long bytes) {
        copies++;
        copiedBytes += bytes;
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
