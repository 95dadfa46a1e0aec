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
 * The records that wait to be written to one channel, in order. How many there are is bounded by the connection: it sends no more calls
 * and takes no more of the peer's than it has credits. Safe for use by several threads; records are released outside the lock.
 */
final class RecordWriter {
    private final GatheringByteChannel channel;
    private final Deque<OutgoingRecord> queue = new ArrayDeque<>();
    private boolean ended;
    private long bytesWritten;

    RecordWriter(GatheringByteChannel channel) {
        this.channel = channel;
    }

    /**
     * Adds a record, unless its owner no longer wants it sent, and writes what the channel takes.
     *
     * @param stillWanted asked under the lock that {@link #withdraw} takes, so that the two cannot miss each other
     * @return whether the channel would take no more: call {@link #flush} when it does
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
     * Writes what the channel takes.
     *
     * @return whether something is left
     */
    boolean flush() throws IOException {
        List<OutgoingRecord> done = new ArrayList<>();
        try {
            return writeQueued(done);
        } finally {
            done.forEach(OutgoingRecord::released);
        }
    }

    private synchronized boolean writeQueued(List<OutgoingRecord> done) throws IOException {
        while (!queue.isEmpty()) {
            OutgoingRecord record = queue.element();
            bytesWritten += record.writeTo(channel);
            if (!record.isWritten()) {
                return true;
            }
            done.add(queue.remove());
        }
        return false;
    }

    /**
     * Frees the buffers of an owner's record at once. A record of which nothing was written is not sent; the rest of a partly written one is copied.
     * For its owner the record is then released.
     *
     * @return bytes copied
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

    /** Bytes written so far, to see whether the peer takes any. */
    synchronized long bytesWritten() {
        return bytesWritten;
    }

    /** Bytes that the channel has not taken yet. */
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

    /** Stops writing. */
    void end() {
        List<OutgoingRecord> unsent;
        synchronized (this) {
            ended = true;
            unsent = List.copyOf(queue);
            queue.clear();
        }
        unsent.forEach(OutgoingRecord::released);
    }
}
