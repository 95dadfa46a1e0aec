// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.emplace.samples.nfs.server.store.FileOperation;

/**
 * Streams into one file, each at the position where a client continues to read. A data node sends a block to a stream as fast as it is read, but
 * needs a request for each piece that is read at an offset. Clients have several READs in flight, which arrive in any order: a READ waits for those
 * before it and continues where the last one ended. A READ that follows no other reads at its offset, unless that is 0. Safe for use by several
 * threads.
 */
final class Cursors implements AutoCloseable {
    /** The most streams into a file. Further READs at the same time are done at their offsets. */
    private static final int MOST = 4;

    /** How far a READ may be ahead of a stream that it waits for. */
    private static final long WINDOW = 16L << 20;

    /**
     * How long a READ waits.
     *
     * @param inProgress if the READ of the bytes right before it is in progress
     * @param turn if such a READ may be about to arrive, because a stream has just been read up to a position before it. A READ at an offset, and the
     *     next READ on that stream, each cost several times as much as one that continues a stream
     */
    record Waits(Duration inProgress, Duration turn) {
        static final Waits DEFAULT = new Waits(Duration.ofSeconds(1), Duration.ofMillis(20));
    }

    /** The bytes read at once by streams that cannot read into buffers. */
    private static final int COPIED = 1 << 16;

    private final class Cursor {
        private Optional<FSDataInputStream> stream;
        /** The position of the next bytes, or of those being read. */
        private long position;

        private boolean used;
        private boolean streaming;
        private long lastUsed;

        Cursor(Optional<FSDataInputStream> stream) {
            this.stream = stream;
        }

        boolean movesTowards(long offset) {
            boolean moving = used || System.nanoTime() - lastUsed < waits.turn().toNanos();
            return streaming && moving && position < offset && offset - position <= WINDOW;
        }

        FSDataInputStream stream() throws IOException {
            if (stream.isEmpty()) {
                stream = Optional.of(opener.run());
            }
            return stream.get();
        }
    }

    /** A READ that waits for its turn. */
    private record Waiting(long offset, Condition turn) {}

    private final FSDataInputStream first;
    private final FileOperation<FSDataInputStream> opener;
    private final Waits waits;
    private final CallRanges ranges = new CallRanges();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Waiting> waiting = new ArrayList<>();

    /** The least recently used stream is the first. */
    private final List<Cursor> cursors = new ArrayList<>();

    /**
     * @param first the first stream into the file; closed with this object
     * @param opener opens further streams into the file
     */
    Cursors(FSDataInputStream first, FileOperation<FSDataInputStream> opener, Waits waits) {
        this.first = first;
        this.opener = opener;
        this.waits = waits;
    }

    /** Reads until the buffer is full or the file ends. */
    void read(ByteBuffer destination, long offset) throws IOException {
        int start = destination.position();
        CallRanges.Range range = ranges.begin(offset, destination.remaining());
        Optional<Cursor> taken = Optional.empty();
        try {
            taken = take(offset);
            if (taken.isEmpty()) {
                readAt(first, destination, offset);
            } else if (taken.get().streaming) {
                readOn(taken.get().stream(), destination, offset);
            } else {
                readAt(taken.get().stream(), destination, offset);
            }
        } finally {
            ranges.end(range);
            leave(taken, offset + destination.position() - start);
        }
    }

    private static void readAt(FSDataInputStream stream, ByteBuffer destination, long offset) throws IOException {
        long position = offset;
        while (destination.hasRemaining()) {
            int count = readOnce(stream, position, destination);
            if (count < 0) {
                return;
            }
            position += count;
        }
    }

    private static int readOnce(FSDataInputStream stream, long offset, ByteBuffer destination) throws IOException {
        if (stream.hasCapability(StreamCapabilities.PREADBYTEBUFFER)) {
            return stream.read(offset, destination);
        }
        byte[] bytes = new byte[Math.min(destination.remaining(), COPIED)];
        int count = stream.read(offset, bytes, 0, bytes.length);
        destination.put(bytes, 0, Math.max(count, 0));
        return count;
    }

    private static int readOnce(FSDataInputStream stream, ByteBuffer destination) throws IOException {
        if (stream.hasCapability(StreamCapabilities.READBYTEBUFFER)) {
            return stream.read(destination);
        }
        byte[] bytes = new byte[Math.min(destination.remaining(), COPIED)];
        int count = stream.read(bytes);
        destination.put(bytes, 0, Math.max(count, 0));
        return count;
    }

    private static void readOn(FSDataInputStream stream, ByteBuffer destination, long offset) throws IOException {
        try {
            if (stream.getPos() != offset) {
                stream.seek(offset);
            }
        } catch (EOFException e) {
            return;
        }
        int count = 0;
        while (count >= 0 && destination.hasRemaining()) {
            count = readOnce(stream, destination);
        }
    }

    /** The stream at an offset, or else an unused one, if there is one. */
    private Optional<Cursor> take(long offset) throws IOException {
        long begin = System.nanoTime();
        Waiting self = new Waiting(offset, lock.newCondition());
        lock.lock();
        try {
            waiting.add(self);
            while (true) {
                for (Cursor each : cursors) {
                    if (!each.used && each.position == offset) {
                        return Optional.of(use(each, offset, true));
                    }
                }
                long left = longestWait(offset).toNanos() - (System.nanoTime() - begin);
                if (left <= 0) {
                    return unused().map(cursor -> use(cursor, offset, offset == 0));
                }
                self.turn().awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for an earlier read");
        } finally {
            waiting.remove(self);
            lock.unlock();
        }
    }

    private Duration longestWait(long offset) {
        if (ranges.isInProgressUpTo(offset)) {
            return waits.inProgress();
        }
        return cursors.stream().anyMatch(each -> each.movesTowards(offset)) ? waits.turn() : Duration.ZERO;
    }

    private Optional<Cursor> unused() {
        if (cursors.size() < MOST) {
            Cursor fresh = new Cursor(cursors.isEmpty() ? Optional.of(first) : Optional.empty());
            cursors.add(fresh);
            return Optional.of(fresh);
        }
        return cursors.stream().filter(cursor -> !cursor.used).findFirst();
    }

    private Cursor use(Cursor cursor, long offset, boolean streaming) {
        cursor.used = true;
        cursor.streaming = streaming;
        cursor.position = offset;
        cursors.remove(cursor);
        cursors.add(cursor);
        return cursor;
    }

    /** Wakes the READ that continues from here, or all of them if the READs that they wait for may not arrive. */
    private void leave(Optional<Cursor> taken, long position) {
        lock.lock();
        try {
            taken.ifPresent(cursor -> {
                cursor.used = false;
                cursor.lastUsed = System.nanoTime();
                cursor.position = position;
            });
            boolean inTurn = taken.isPresent() && taken.get().streaming;
            Optional<Waiting> next = waiting.stream()
                    .filter(each -> inTurn && each.offset() == position)
                    .findFirst();
            if (next.isPresent()) {
                next.get().turn().signal();
            } else {
                waiting.forEach(each -> each.turn().signal());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try (first) {
            for (Cursor each : cursors) {
                if (each.stream.isPresent() && each.stream.get() != first) {
                    each.stream.get().close();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
