// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException;

/** Counts what one call transfers, for its {@link CallReport}. Safe for use by several threads. */
public final class CallCounters {
    /** Counts nothing; for calls without an observer. */
    public static final CallCounters NONE = new CallCounters(false);

    private final boolean counts;
    private final AtomicLong inlineBytes = new AtomicLong();
    private final AtomicLong readChunkBytes = new AtomicLong();
    private final AtomicLong positionZeroBytes = new AtomicLong();
    private final AtomicLong writeChunkBytes = new AtomicLong();
    private final AtomicLong replyChunkBytes = new AtomicLong();
    private final AtomicLong copies = new AtomicLong();
    private final AtomicLong copiedBytes = new AtomicLong();
    private final AtomicLong movedBytes = new AtomicLong();

    /** Creates counters with the value 0. */
    public CallCounters() {
        this(true);
    }

    private CallCounters(boolean counts) {
        this.counts = counts;
    }

    /** Counts bytes of the RPC messages that were sent or received inline. */
    public void inline(long bytes) {
        add(inlineBytes, bytes);
    }

    /** Counts bytes of an argument that the peer read as a Read chunk. */
    public void readChunk(long bytes) {
        add(readChunkBytes, bytes);
    }

    /** Counts bytes of the call message that the peer read as the Position Zero Read chunk. */
    public void positionZero(long bytes) {
        add(positionZeroBytes, bytes);
    }

    /** Counts bytes of a result that the peer wrote into a Write chunk. */
    public void writeChunk(long bytes) {
        add(writeChunkBytes, bytes);
    }

    /** Counts bytes of the reply message that the peer wrote into the Reply chunk. */
    public void replyChunk(long bytes) {
        add(replyChunkBytes, bytes);
    }

    /** Counts one copy of a payload by the runtime. */
    public void copy(long bytes) {
        add(copies, 1);
        add(copiedBytes, bytes);
    }

    /** Counts bytes of a copied result that had landed in the memory for another element. */
    public void moved(long bytes) {
        add(movedBytes, bytes);
    }

    private void add(AtomicLong counter, long more) {
        if (counts) {
            counter.addAndGet(more);
        }
    }

    CallReport report(Procedure<?, ?> procedure, Duration elapsed, Optional<RpcException.Kind> failure) {
        return CallReport.of(procedure, elapsed, failure)
                .withInlineBytes(inlineBytes.get())
                .withChunkBytes(
                        readChunkBytes.get(), positionZeroBytes.get(), writeChunkBytes.get(), replyChunkBytes.get())
                .withCopies(copies.get(), copiedBytes.get(), movedBytes.get());
    }
}
