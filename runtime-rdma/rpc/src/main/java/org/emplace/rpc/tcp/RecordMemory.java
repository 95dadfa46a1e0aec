// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.emplace.rpc.transport.MemoryShares;

/**
 * The memory of the records that one peer sends. A record's buffer counts among the peer's share from the arrival of its
 * bytes until the record has been used. If the share is used up, the record waits, and with it the stream. Short
 * records do not count, because the limits on connections and calls bound them, so they cost no lock.
 *
 * <p>Used on the event loop, except {@link #release}.
 */
final class RecordMemory {
    /** The longest buffer that does not count, in bytes. */
    static final int UNCOUNTED = 16 * 1024;

    private final MemoryShares.Share share;
    private final int largest;
    private final Consumer<Runnable> resume;
    /** What the record that is being assembled holds, in bytes. */
    private int taken;

    private boolean waiting;
    private boolean ended;

    /**
     * Creates the memory of a connection without records.
     *
     * @param largest the length of the longest buffer, in bytes
     * @param resume continues the stream, after it has run a task on the event loop
     */
    RecordMemory(MemoryShares.Share share, int largest, Consumer<Runnable> resume) {
        this.share = share;
        this.largest = largest;
        this.resume = resume;
    }

    /**
     * Takes what the record that is being assembled needs for a longer buffer.
     *
     * @return false if it must wait: the stream is resumed when the memory has been taken
     */
    boolean grow(int capacity) {
        int more = capacity - taken;
        if (capacity <= UNCOUNTED || more <= 0) {
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
        return share.isShort();
    }

    /** Called when the record is complete. Its buffer counts until {@link #release}. */
    void complete() {
        taken = 0;
    }

    /** Called when a complete record is no longer used. */
    void release(ByteBuffer record) {
        if (record.capacity() > UNCOUNTED) {
            share.giveBack(record.capacity());
        }
    }

    /** Called when no more bytes are received. */
    void end() {
        ended = true;
        share.stopWaiting();
        share.giveBack(taken);
        taken = 0;
    }
}
