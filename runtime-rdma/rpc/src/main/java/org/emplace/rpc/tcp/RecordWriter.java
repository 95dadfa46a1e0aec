// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The queue of records to be written to one channel. The connection bounds it, because its calls and the peer's are
 * limited by credits. Safe for use by several threads; records are released outside the lock.
 */
final class RecordWriter {
    private final GatheringByteChannel channel;
    private final Deque<OutgoingRecord> queue = new ArrayDeque<>();
    private boolean ended;
    private long bytesWritten;
    /** So that the event loop need not wait for a thread that is writing. */
    private volatile boolean empty = true;

    RecordWriter(GatheringByteChannel channel) {
        this.channel = channel;
    }

    /**
     * Adds a record, unless its owner no longer wants to send it, and writes as much as the channel accepts.
     *
     * @param stillWanted called under the lock of {@link #withdraw}, so that no withdrawn record is added
     * @return whether bytes remain: call {@link #flush} when the channel is writable
     */
    boolean send(OutgoingRecord record, BooleanSupplier stillWanted) throws IOException {
        boolean entered;
        synchronized (this) {
            entered = !ended && stillWanted.getAsBoolean();
            if (entered) {
                queue.add(record);
                empty = false;
            }
        }
        if (!entered) {
            record.released();
        }
        flush(Long.MAX_VALUE);
        return !empty;
    }

    /**
     * Writes as much as the channel accepts.
     *
     * @param most begins no further record after so many bytes
     * @return the number of bytes written
     */
    long flush(long most) throws IOException {
        List<OutgoingRecord> done = new ArrayList<>();
        try {
            return writeQueued(most, done);
        } finally {
            done.forEach(OutgoingRecord::released);
        }
    }

    private synchronized long writeQueued(long most, List<OutgoingRecord> done) throws IOException {
        long written = 0;
        while (!queue.isEmpty() && written < most) {
            OutgoingRecord record = queue.element();
            long count = record.writeTo(channel);
            written += count;
            bytesWritten += count;
            if (!record.isWritten()) {
                break;
            }
            done.add(queue.remove());
        }
        empty = queue.isEmpty();
        return written;
    }

    /**
     * Releases the buffers of an owner's record at once. A record of which nothing has been written is not sent; the
     * rest of a partly written one is copied.
     *
     * @return the number of bytes copied
     */
    synchronized int withdraw(Object owner) {
        for (OutgoingRecord record : queue) {
            if (record.isOf(owner)) {
                if (record.hasBegun()) {
                    return record.takeOver();
                }
                queue.remove(record);
                empty = queue.isEmpty();
                return 0;
            }
        }
        return 0;
    }

    /** The number of bytes written so far. */
    synchronized long bytesWritten() {
        return bytesWritten;
    }

    /** The number of bytes that have not been written yet. */
    synchronized long bytesWaiting() {
        long waiting = 0;
        for (OutgoingRecord record : queue) {
            waiting += record.bytesLeft();
        }
        return waiting;
    }

    boolean isEmpty() {
        return empty;
    }

    /** Stops writing, and releases all records. */
    void end() {
        List<OutgoingRecord> unsent;
        synchronized (this) {
            ended = true;
            unsent = List.copyOf(queue);
            queue.clear();
            empty = true;
        }
        unsent.forEach(OutgoingRecord::released);
    }
}
