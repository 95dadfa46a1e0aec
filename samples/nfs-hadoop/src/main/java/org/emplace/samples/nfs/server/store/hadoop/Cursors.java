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
import org.emplace.samples.nfs.server.store.Store.FileOperation;

/**
 * Streams into one file, each at the position where a client continues to read. A data node sends a block to a stream as fast as it is read, but
 * needs a request for each piece that is read at an offset. Clients have several READs in flight, which arrive in any order: a READ waits for those
 * before it and continues where the last one ended. Of several READs that wait one after the other, the thread of the last does them all, because a
 * stream waits while it passes from thread to thread. A READ that follows no other reads at its offset, unless that is 0. Safe for use by several
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

    /** A READ. Guarded by {@link #lock}, except the destination, which belongs to the thread that reads. */
    private final class Read {
        private final ByteBuffer destination;
        private final int start;
        private final long offset;
        private final CallRanges.Range range;
        private final Condition changed = lock.newCondition();
        private State state = State.WAITING;

        /** Where to read in this READ's turn. Empty if there is no unused stream. */
        private Optional<Cursor> cursor = Optional.empty();

        /** READs of the bytes before these, which this READ's thread does first. */
        private List<Read> before = List.of();

        private Optional<IOException> failure = Optional.empty();

        Read(ByteBuffer destination, long offset) {
            this.destination = destination;
            this.start = destination.position();
            this.offset = offset;
            this.range = ranges.begin(offset, destination.remaining());
        }

        long end() {
            return offset + destination.position() - start;
        }
    }

    private enum State {
        WAITING,
        /** Its own thread reads. */
        IN_TURN,
        /** The thread of a later READ reads. */
        PASSED_ON,
        /** The thread of a later READ has read. */
        DONE
    }

    private final FSDataInputStream first;
    private final FileOperation<FSDataInputStream> opener;
    private final Waits waits;
    private final CallRanges ranges = new CallRanges();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Read> waiting = new ArrayList<>();

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
        Read self = new Read(destination, offset);
        try {
            awaitTurn(self);
            if (self.state == State.IN_TURN) {
                self.before.forEach(each -> readFor(each, self.cursor));
                read(self, self.cursor);
            }
        } finally {
            leave(self);
        }
        if (self.failure.isPresent()) {
            throw self.failure.get();
        }
    }

    private void read(Read read, Optional<Cursor> cursor) throws IOException {
        FSDataInputStream stream = cursor.isPresent() ? cursor.get().stream() : first;
        if (cursor.isPresent() && cursor.get().streaming) {
            readOn(stream, read.destination, read.offset);
        } else {
            readAt(stream, read.destination, read.offset);
        }
    }

    /** Does the READ of another thread, which learns of any failure. */
    private void readFor(Read other, Optional<Cursor> cursor) {
        try {
            read(other, cursor);
        } catch (IOException e) {
            other.failure = Optional.of(e);
        } catch (Throwable e) {
            other.failure = Optional.of(new IOException("a READ failed in the thread of another", e));
        }
        lock.lock();
        try {
            other.state = State.DONE;
            ranges.end(other.range);
            other.changed.signal();
        } finally {
            lock.unlock();
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

    /** Waits until it is the READ's turn, or another thread has done the READ. */
    private void awaitTurn(Read self) throws InterruptedIOException {
        lock.lock();
        try {
            waiting.add(self);
            awaitStart(self);
            while (self.state == State.PASSED_ON) {
                self.changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the stream at the READ's offset, or else takes an unused one, if there is one. */
    private void awaitStart(Read self) throws InterruptedIOException {
        long begin = System.nanoTime();
        try {
            while (self.state == State.WAITING) {
                Optional<Cursor> here = cursors.stream()
                        .filter(each -> !each.used && each.position == self.offset)
                        .findFirst();
                long left = longestWait(self.offset).toNanos() - (System.nanoTime() - begin);
                if (here.isPresent()) {
                    begin(self, use(here.get(), self.offset, true));
                } else if (left <= 0) {
                    begin(self, unused().flatMap(cursor -> use(cursor, self.offset, self.offset == 0)));
                } else {
                    self.changed.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Otherwise a thread reads into the buffer already, this one or another.
            if (self.state == State.WAITING) {
                throw new InterruptedIOException("interrupted while waiting for an earlier read");
            }
        }
    }

    private void begin(Read read, Optional<Cursor> cursor) {
        waiting.remove(read);
        read.state = State.IN_TURN;
        read.cursor = cursor;
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

    private Optional<Cursor> use(Cursor cursor, long offset, boolean streaming) {
        cursor.used = true;
        cursor.streaming = streaming;
        cursor.position = offset;
        cursors.remove(cursor);
        cursors.add(cursor);
        return Optional.of(cursor);
    }

    /** Passes the stream on to the READs that continue from here, or wakes all READs if those that they wait for may not arrive. */
    private void leave(Read self) {
        lock.lock();
        try {
            waiting.remove(self);
            if (self.state == State.DONE) {
                return;
            }
            ranges.end(self.range);
            self.cursor.ifPresent(cursor -> {
                cursor.used = false;
                cursor.lastUsed = System.nanoTime();
                cursor.position = self.end();
            });
            Optional<Cursor> streaming = self.cursor.filter(cursor -> cursor.streaming);
            List<Read> row = streaming.map(cursor -> row(cursor.position)).orElse(List.of());
            if (row.isEmpty()) {
                waiting.forEach(each -> each.changed.signal());
            } else {
                passOn(streaming.get(), row);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The waiting READs that follow each other from a position on. */
    private List<Read> row(long position) {
        List<Read> row = new ArrayList<>();
        long next = position;
        for (Optional<Read> each = waitingAt(next); each.isPresent(); each = waitingAt(next)) {
            row.add(each.get());
            waiting.remove(each.get());
            next += each.get().destination.remaining();
        }
        return row;
    }

    private Optional<Read> waitingAt(long offset) {
        return waiting.stream().filter(each -> each.offset == offset).findFirst();
    }

    private void passOn(Cursor cursor, List<Read> row) {
        Read last = row.remove(row.size() - 1);
        row.forEach(each -> each.state = State.PASSED_ON);
        last.before = row;
        begin(last, use(cursor, cursor.position, true));
        last.changed.signal();
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
