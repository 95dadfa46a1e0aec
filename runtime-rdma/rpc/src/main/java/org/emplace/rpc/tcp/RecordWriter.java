// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of records to be written to one channel. The connection bounds it, because its calls and the peer's are
 * limited by credits. Safe for use by several threads; records are released outside the lock.
 */
final class RecordWriter {
    private final GatheringByteChannel channel;
    private final Deque<OutgoingRecord> queue = new ArrayDeque<>();
    /** Records that have been written, and not released yet. */
    private final Deque<OutgoingRecord> done = new ArrayDeque<>();

    private boolean ended;
    private long bytesWritten;

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
            }
        }
        if (!entered) {
            record.released();
        }
        return flush();
    }

    /**
     * Writes as much as the channel accepts.
     *
     * @return whether bytes remain
     */
    boolean flush() throws IOException {
        try {
            return writeQueued();
        } finally {
            releaseDone();
        }
    }

    /** Releases the written records, each before it is forgotten, so that none is lost if this fails. */
    private void releaseDone() {
        for (OutgoingRecord record = firstDone(); record != null; record = firstDone()) {
            record.released();
            forgetDone(record);
        }
    }

    private synchronized @Nullable OutgoingRecord firstDone() {
        return done.peek();
    }

    private synchronized void forgetDone(OutgoingRecord record) {
        done.remove(record);
    }

    private synchronized boolean writeQueued() throws IOException {
        while (!queue.isEmpty()) {
            OutgoingRecord record = queue.element();
            bytesWritten += record.writeTo(channel);
            if (!record.isWritten()) {
                return true;
            }
            // In one queue before it leaves the other, so that it is released whatever fails; once, see OutgoingRecord.
            done.add(record);
            queue.remove();
        }
        return false;
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

    synchronized boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Stops writing, and releases all records. */
    void end() {
        List<OutgoingRecord> unsent;
        synchronized (this) {
            ended = true;
            unsent = List.copyOf(queue);
        }
        unsent.forEach(OutgoingRecord::released);
        synchronized (this) {
            queue.clear();
        }
        releaseDone();
    }
}
