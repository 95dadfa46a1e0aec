// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A record to be written: one fragment, gathered from the buffers of its message. */
final class OutgoingRecord {
    private static final int LAST_FRAGMENT = 0x8000_0000;

    private final @Nullable Object owner;
    private final Runnable released;
    private final AtomicBoolean isReleased = new AtomicBoolean();
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
            long written = channel.write(pieces, firstUnwritten, pieces.length - firstUnwritten);
            if (written == 0) {
                break;
            }
            begun = true;
            total += written;
        }
        return total;
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

    /** Releases the message's buffers, unless that has been done. If it fails, it can be tried again. */
    void released() {
        if (isReleased.compareAndSet(false, true)) {
            boolean done = false;
            try {
                released.run();
                done = true;
            } finally {
                if (!done) {
                    isReleased.set(false);
                }
            }
        }
    }
}
