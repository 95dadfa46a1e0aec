// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.emplace.rpc.transport.MemoryShares;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory of the records that a connection receives. A record's buffer counts toward the connection's share
 * from the arrival of its bytes until the record is no longer used. If the share is used up, the record waits, and the
 * stream is not read meanwhile. Short records do not count, and so take no lock: the limits on connections and calls
 * bound them.
 *
 * <p>Used on the event loop's thread, except {@link #release}.
 */
final class RecordMemory {
    /** The longest buffer that does not count, in bytes. */
    static final int UNCOUNTED = 16 * 1024;

    private final MemoryShares.@Nullable Share share;
    private final int largest;
    private final Consumer<Runnable> resume;
    /** The bytes counted for the record that is being assembled. */
    private int taken;

    private boolean waiting;
    private boolean ended;

    /**
     * Starts without records.
     *
     * @param share null for no limit: a client must always read replies, which its calls in flight bound
     * @param largest the length of the longest buffer, in bytes
     * @param resume runs a task on the event loop's thread, then continues to read the stream
     */
    RecordMemory(MemoryShares.@Nullable Share share, int largest, Consumer<Runnable> resume) {
        this.share = share;
        this.largest = largest;
        this.resume = resume;
    }

    /**
     * Takes the memory that the record being assembled needs for a buffer of this capacity.
     *
     * @return false if the record must wait; reading resumes when the memory has been taken
     */
    boolean grow(int capacity) {
        int more = capacity - taken;
        if (share == null || capacity <= UNCOUNTED || more <= 0) {
            return true;
        }
        if (!waiting) {
            waiting = !share.takeOrWait(more, largest, () -> resume.accept(() -> taken(more)));
            taken += waiting ? 0 : more;
        }
        return !waiting;
    }

    private void taken(int more) {
        waiting = false;
        taken += more;
        if (ended) {
            end();
        }
    }

    /** Whether connections wait for memory, so that each should read little at a time. */
    boolean isShort() {
        return share != null && share.isShort();
    }

    /** Called when the record is complete. Its buffer counts until {@link #release}. */
    void complete() {
        taken = 0;
    }

    /** Called when a complete record is no longer used. */
    void release(ByteBuffer record) {
        if (share != null && record.capacity() > UNCOUNTED) {
            share.giveBack(record.capacity());
        }
    }

    /** Called when no more bytes are received. */
    void end() {
        ended = true;
        if (share != null) {
            share.stopWaiting();
            share.giveBack(taken);
        }
        taken = 0;
    }
}
