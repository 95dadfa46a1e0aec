// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.emplace.rpc.limits.MemoryShares;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory of the records that a connection receives. A record uses memory from the arrival of its bytes until
 * it is no longer used. What the records of a connection use together counts toward its share, except the first {@value
 * #UNCOUNTED} bytes, so few or short calls take no lock. If the share is used up, the record that arrives waits, and the
 * stream is not read meanwhile. A short record does not wait while this end waits for replies, because it may be one on
 * which calls in progress depend: it stops waiting when this end begins to.
 *
 * <p>Used on the event loop's thread, except {@link #release}.
 */
final class RecordMemory {
    /** The bytes of a connection's records that do not count: more than 64 calls without data need. */
    static final int UNCOUNTED = 32 * 1024;
    /** The memory that a record uses in addition to its buffer, in bytes: about that of the objects of its call. */
    private static final long OVERHEAD = 256;
    /** The longest buffer of a short record, in bytes. */
    private static final int SHORT = 16 * 1024;

    private final MemoryShares.@Nullable Share share;
    private final int largest;
    private final Consumer<Runnable> resume;
    private final BooleanSupplier awaitsReplies;
    /** The bytes that all records use. The share holds those beyond {@link #UNCOUNTED}. Other threads only reduce it. */
    private final AtomicLong used = new AtomicLong();
    /** The bytes that the record that is being assembled uses. */
    private long assembled;

    private boolean waiting;
    private boolean ended;

    /**
     * Starts without records.
     *
     * @param share null for no limit: a client must always read replies, which its calls in flight bound
     * @param largest the length of the longest buffer, in bytes
     * @param resume runs a task on the event loop's thread, then continues to read the stream
     * @param awaitsReplies tells whether this end waits for replies
     */
    RecordMemory(
            MemoryShares.@Nullable Share share, int largest, Consumer<Runnable> resume, BooleanSupplier awaitsReplies) {
        this.share = share;
        this.largest = largest;
        this.resume = resume;
        this.awaitsReplies = awaitsReplies;
    }

    /**
     * Takes the memory that the record being assembled needs for a buffer of this capacity.
     *
     * @return false if the record must wait; reading resumes when the memory has been taken
     */
    boolean grow(int capacity) {
        long more = capacity + OVERHEAD - assembled;
        if (share == null || more <= 0) {
            return true;
        }
        boolean mayBeReply = capacity <= SHORT && awaitsReplies.getAsBoolean();
        if (waiting && mayBeReply && share.stopWaiting()) {
            waiting = false;
        }
        if (!waiting) {
            long before = used.get();
            long counted = counted(before + more) - counted(before);
            if (counted > 0 && mayBeReply) {
                share.takeBeyond(counted);
            } else if (counted > 0) {
                waiting = !share.takeOrWait(
                        counted, largest + OVERHEAD, () -> resume.accept(() -> taken(share, more, counted)));
            }
            if (!waiting) {
                use(share, more, counted);
            }
        }
        return !waiting;
    }

    private static long counted(long bytes) {
        return Math.max(0, bytes - UNCOUNTED);
    }

    /** Uses bytes, for which the share has taken enough. Releases in the meantime may have reduced what counts. */
    private void use(MemoryShares.Share from, long more, long taken) {
        long before = used.getAndAdd(more);
        giveBack(from, taken - (counted(before + more) - counted(before)));
        assembled += more;
    }

    private static void giveBack(MemoryShares.Share to, long bytes) {
        if (bytes > 0) {
            to.giveBack(bytes);
        }
    }

    private void taken(MemoryShares.Share from, long more, long taken) {
        waiting = false;
        use(from, more, taken);
        if (ended) {
            end();
        }
    }

    /** Whether connections wait for memory, so that each should read little at a time. */
    boolean isShort() {
        return share != null && share.isShort();
    }

    /** Called when the record is complete. It uses its memory until {@link #release}. */
    void complete() {
        assembled = 0;
    }

    /** Called when a complete record is no longer used. */
    void release(ByteBuffer record) {
        if (record.capacity() > 0) {
            release(record.capacity() + OVERHEAD);
        }
    }

    private void release(long bytes) {
        if (share != null) {
            long before = used.getAndAdd(-bytes);
            giveBack(share, counted(before) - counted(before - bytes));
        }
    }

    /** Called when no more bytes are received. */
    void end() {
        ended = true;
        if (share != null) {
            share.stopWaiting();
            release(assembled);
        }
        assembled = 0;
    }
}
