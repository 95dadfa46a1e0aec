// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.jspecify.annotations.Nullable;

/**
 * A sequential read of one file, with READs in flight for the bytes that come next. Holds a bounded number of buffers, and never waits for
 * a free one. Not safe for use by several threads.
 */
final class ReadAhead implements AutoCloseable {
    /** READ lengths are multiples of this, so that the last READ reaches past the end of the file and its reply has {@code eof} set. */
    private static final int BLOCK = 512;

    private final FileReader reader;
    private final BufferPool buffers;
    private final NfsFh3 file;
    private final long expectedSize;
    private final int mostInFlight;
    private final Deque<Transfer<Read3Res>> inFlight = new ArrayDeque<>();
    private long next;
    private int longest;
    private @Nullable Arrived current;

    /**
     * @param start the offset at which to begin
     * @param expectedSize how far READs may run ahead; the file may turn out shorter or longer
     * @param mostInFlight the most READs in flight
     * @param longest the most bytes of the first READ; doubles with each further READ, up to the size of a buffer
     */
    ReadAhead(FileReader reader, NfsFh3 file, long start, long expectedSize, int mostInFlight, int longest) {
        this.reader = reader;
        this.buffers = reader.buffers();
        this.file = file;
        this.next = start;
        this.expectedSize = expectedSize;
        this.mostInFlight = mostInFlight;
        this.longest = Math.min(longest, buffers.bufferSize());
    }

    /**
     * A READ that has ended.
     *
     * @param end whether the file ends after these bytes
     */
    record Arrived(RegisteredBuffer buffer, long offset, int length, boolean end) {
        /** The bytes. */
        ByteBuffer bytes() {
            return buffer.buffer().limit(length);
        }
    }

    /** The next bytes of the file. The caller releases their buffer. */
    Arrived next() throws IOException, InterruptedException {
        if (inFlight.isEmpty()) {
            start(buffers.acquire());
        }
        fill();
        return finishFirst();
    }

    /**
     * Copies the next bytes, of those that have arrived or are in flight.
     *
     * @return the number of bytes; -1 at the end of the file; 0 if no buffer is free, so that the caller has to read by itself
     */
    int read(ByteBuffer into, long position) throws IOException, InterruptedException {
        if (current == null) {
            fill();
            if (inFlight.isEmpty()) {
                return 0;
            }
            current = finishFirst();
            longest = Math.min(2 * longest, buffers.bufferSize());
            if (!current.end()) {
                fill();
            }
        }
        Arrived arrived = current;
        int from = (int) (position - arrived.offset());
        int length = Math.min(into.remaining(), arrived.length() - from);
        if (length > 0) {
            into.put(arrived.bytes().position(from).limit(from + length));
        }
        if (from + length == arrived.length() && !arrived.end()) {
            buffers.release(arrived.buffer());
            current = null;
        }
        return length == 0 && arrived.end() ? -1 : length;
    }

    /** Whether a position is the next that {@link #read} returns. */
    boolean isAt(long position) {
        if (current != null) {
            return position >= current.offset() && position <= current.offset() + current.length();
        }
        return position == (inFlight.isEmpty() ? next : inFlight.element().offset());
    }

    private Arrived finishFirst() throws IOException, InterruptedException {
        Transfer<Read3Res> first = inFlight.remove();
        boolean finished = false;
        try {
            FileReader.Part part = reader.finish(first, file);
            finished = true;
            return new Arrived(first.buffer(), first.offset(), part.length(), part.end());
        } finally {
            if (!finished) {
                buffers.release(first.buffer());
            }
        }
    }

    /** Starts READs while buffers are free; beyond the expected size, one at a time. */
    private void fill() throws IOException {
        while (inFlight.size() < mostInFlight
                && next < Long.MAX_VALUE
                && (inFlight.isEmpty() || Long.compareUnsigned(next, expectedSize) < 0)) {
            Optional<RegisteredBuffer> buffer = buffers.acquireIfFree();
            if (buffer.isEmpty()) {
                return;
            }
            start(buffer.get());
        }
    }

    private void start(RegisteredBuffer buffer) {
        int length = (int) Math.min(lengthAt(next), Long.MAX_VALUE - next);
        inFlight.add(new Transfer<>(buffer, next, length, reader.start(file, next, buffer, 0, length)));
        next += length;
    }

    /**
     * The length of a READ. It ends at the expected end of the file, so that a small file takes little memory or none; beyond that it is
     * the longest allowed.
     */
    private int lengthAt(long from) {
        long left = expectedSize - from;
        boolean beyond = from != 0 && Long.compareUnsigned(from, expectedSize) >= 0;
        if (beyond || Long.compareUnsigned(left, longest) >= 0) {
            return longest;
        }
        return (int) Math.min(longest, (left / BLOCK + 1) * BLOCK);
    }

    /** Returns all buffers: those of READs in flight when these have ended. */
    @Override
    public void close() {
        if (current != null) {
            buffers.release(current.buffer());
            current = null;
        }
        Transfer.release(inFlight, buffers);
        inFlight.clear();
    }
}
