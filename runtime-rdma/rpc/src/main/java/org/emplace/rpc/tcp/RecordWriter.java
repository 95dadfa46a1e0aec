// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
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
    private boolean ended;
    private volatile long bytesWritten;
    /** Whether the channel has accepted all records that threads have tried to write. The event loop asks for this without waiting for them. */
    private volatile boolean empty = true;

    RecordWriter(GatheringByteChannel channel) {
        this.channel = channel;
    }

    /**
     * Adds a record, unless its owner no longer wants to send it. {@link #flush} writes it.
     *
     * @param stillWanted called under the lock of {@link #withdraw}, so that no withdrawn record is added
     */
    void add(OutgoingRecord record, BooleanSupplier stillWanted) {
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
    }

    /**
     * Writes as much as the channel accepts.
     *
     * @param most begins no further record after so many bytes
     * @return the number of bytes written
     */
    long flush(long most) throws IOException {
        long before = bytesWritten;
        boolean isLeft = true;
        while (isLeft && bytesWritten - before < most) {
            OutgoingRecord done = writeNext();
            isLeft = done != null;
            if (done != null) {
                done.released();
            }
        }
        return bytesWritten - before;
    }

    /** Writes the next record. Returns it if it is written, and then no longer in the queue; otherwise null. */
    private synchronized @Nullable OutgoingRecord writeNext() throws IOException {
        // Nothing follows a record that was discarded when it was partly written.
        OutgoingRecord next = ended ? null : queue.peek();
        try {
            if (next != null) {
                bytesWritten += next.writeTo(channel);
            }
            return next != null && next.isWritten() ? queue.remove() : null;
        } finally {
            empty = queue.isEmpty();
        }
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
    long bytesWritten() {
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

    /** Whether nothing is left that has to wait until the channel is writable. */
    boolean isEmpty() {
        return empty;
    }

    /** Called when nothing more can be written: releases all records. If it throws, the next call releases the rest. */
    void discard() {
        for (OutgoingRecord unsent = removeNext(); unsent != null; unsent = removeNext()) {
            unsent.released();
        }
    }

    private synchronized @Nullable OutgoingRecord removeNext() {
        ended = true;
        empty = true;
        return queue.poll();
    }

    /** A record to be written: one fragment, gathered from the buffers of its message. */
    static final class OutgoingRecord {
        private static final int LAST_FRAGMENT = 0x8000_0000;

        /** How much of the heap's buffers to offer the channel at a time, in bytes: a socket channel copies all that it is offered to direct memory, also what the socket then does not accept. */
        private static final int HEAP_BYTES_A_WRITE = 128 * 1024;

        private final @Nullable Object owner;
        private final Runnable released;
        private ByteBuffer[] pieces;
        private int firstUnwritten;
        private boolean begun;

        /**
         * Creates the record of a message.
         *
         * @param owner identifies the record for {@link RecordWriter#withdraw}
         * @param released run once, when the message's buffers are no longer needed
         * @throws IllegalArgumentException if the message has 2 GiB or more
         */
        OutgoingRecord(List<ByteBuffer> message, @Nullable Object owner, Runnable released) {
            this.owner = owner;
            this.released = released;
            this.pieces = new ByteBuffer[1 + message.size()];
            long length = 0;
            for (int i = 0; i < message.size(); i++) {
                pieces[i + 1] = message.get(i).duplicate();
                length += message.get(i).remaining();
            }
            if (length > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a message of " + length + " bytes is too long for a record of TCP, which can have 2 GiB - 1");
            }
            pieces[0] = ByteBuffer.allocate(Integer.BYTES).putInt(0, LAST_FRAGMENT | (int) length);
        }

        boolean isOf(Object candidate) {
            return owner == candidate;
        }

        long bytesLeft() {
            long left = 0;
            for (int i = firstUnwritten; i < pieces.length; i++) {
                left += pieces[i].remaining();
            }
            return left;
        }

        boolean hasBegun() {
            return begun;
        }

        /**
         * Writes as much as the channel accepts.
         *
         * @return the number of bytes written
         */
        long writeTo(GatheringByteChannel channel) throws IOException {
            long total = 0;
            while (!isWritten()) {
                long written = writePart(channel);
                if (written == 0) {
                    break;
                }
                begun = true;
                total += written;
            }
            return total;
        }

        private long writePart(GatheringByteChannel channel) throws IOException {
            int end = firstUnwritten;
            long onHeap = 0;
            while (end < pieces.length && onHeap < HEAP_BYTES_A_WRITE) {
                onHeap += pieces[end].isDirect() ? 0 : pieces[end].remaining();
                end++;
            }
            ByteBuffer last = pieces[end - 1];
            int limit = last.limit();
            last.limit((int) Math.min(limit, limit - (onHeap - HEAP_BYTES_A_WRITE)));
            try {
                return channel.write(pieces, firstUnwritten, end - firstUnwritten);
            } finally {
                last.limit(limit);
            }
        }

        boolean isWritten() {
            while (firstUnwritten < pieces.length && !pieces[firstUnwritten].hasRemaining()) {
                firstUnwritten++;
            }
            return firstUnwritten == pieces.length;
        }

        /**
         * Copies the unwritten bytes, so that the message's own buffers can be reused.
         *
         * @return the number of bytes copied
         */
        int takeOver() {
            int length = (int) bytesLeft();
            ByteBuffer copy = ByteBuffer.allocate(length);
            for (int i = firstUnwritten; i < pieces.length; i++) {
                copy.put(pieces[i]);
            }
            pieces = new ByteBuffer[] {copy.flip()};
            firstUnwritten = 0;
            return length;
        }

        void released() {
            released.run();
        }
    }
}
