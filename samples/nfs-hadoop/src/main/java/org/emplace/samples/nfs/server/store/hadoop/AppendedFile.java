// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;

/**
 * A file that is being written through one stream, which can only append. A WRITE at the end of the file goes into the stream. A WRITE beyond the end
 * waits, with its data still in the client's memory, as long as the bytes before it are in progress. Otherwise its data is spilled until it can be
 * appended. Bytes that were written before may be written again if they are the same, as when a call is sent twice. Clients see the file with all of
 * these bytes, and zeros in the gaps. Safe for use by several threads.
 */
final class AppendedFile implements Channel {
    /** The largest gap that a WRITE or a new size may leave before it. */
    static final long LARGEST_GAP = 256L << 20;

    /** The most zeros that one call writes into gaps. The next one continues. */
    static final long MOST_ZEROS = 16L << 20;

    /** How far beyond the end the store fetches data from clients, so that the stream does not wait for it. */
    private static final long FETCHED_AHEAD = 8L << 20;

    /** The longest time that a WRITE waits for others that are in progress. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final int CHUNK = 1 << 16;

    /** The stored file. */
    interface Backing {
        /**
         * Reads bytes that the stream has made visible, until the buffer is full.
         *
         * @param version the same as long as the stream is open
         */
        void read(FileTime version, ByteBuffer destination, long offset) throws IOException;

        /** The stream failed: data written to it may be lost. */
        void broken();

        /** The stream is closed: restores the time of the file's last change. */
        void closed(FileTime modified) throws IOException;
    }

    private final HdfsDataOutputStream stream;
    private final Backing backing;
    private final Spill spill;
    private final HadoopOptions options;
    private final CallRanges ranges = new CallRanges();
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition advanced = lock.newCondition();
    private final byte[] chunk = new byte[CHUNK];
    private FileAttributes base;
    private final FileTime version;
    private FileTime modified;
    private long end;
    private long visible;
    private long stable;
    /** When new bytes last arrived. Bytes that are sent again do not postpone the time at which a gap counts as a hole. */
    private long lastBrought = System.nanoTime();

    private volatile boolean open = true;

    /**
     * @param stream at the end of the file
     * @param base the file's attributes before
     */
    AppendedFile(
            HdfsDataOutputStream stream, FileAttributes base, Backing backing, Spill.Room room, HadoopOptions options) {
        this.stream = stream;
        this.base = base;
        this.backing = backing;
        this.options = options;
        this.spill = new Spill(room);
        this.version = base.modified();
        this.modified = base.modified();
        this.end = stream.getPos();
        this.visible = end;
        this.stable = end;
    }

    /** The name node's attributes of the file, updated by what has been written. */
    FileAttributes asWritten(FileAttributes known) {
        lock.lock();
        try {
            base = known;
            return attributes();
        } finally {
            lock.unlock();
        }
    }

    /** The file's current attributes. */
    FileAttributes now() {
        return asWritten(base);
    }

    private FileAttributes attributes() {
        return base.withContents(size(), modified);
    }

    private long size() {
        return Math.max(end, spill.end());
    }

    /**
     * Writes all of a payload.
     *
     * @param peer whose share of the room for data out of order it takes
     * @throws ClosedChannelException if the stream has been closed
     */
    WeakCacheConsistency write(Object peer, long offset, Payload data) throws IOException {
        if (data.length() == 0) {
            FileAttributes now = now();
            return new WeakCacheConsistency(Optional.of(now), Optional.of(now));
        }
        long now = System.nanoTime();
        CallRanges.Range range = ranges.begin(offset, data.length());
        boolean written = false;
        try {
            await(offset - FETCHED_AHEAD, now);
            ByteBuffer bytes = data.buffer();
            lock.lock();
            try {
                awaitLocked(offset, now);
                requireOpen();
                FileAttributes before = attributes();
                boolean sentAgain = Math.max(end, spill.reach(offset)) >= offset + data.length();
                put(peer, offset, bytes.duplicate());
                modified();
                if (!sentAgain) {
                    lastBrought = System.nanoTime();
                }
                written = true;
                return new WeakCacheConsistency(Optional.of(before), Optional.of(attributes()));
            } finally {
                lock.unlock();
            }
        } finally {
            ranges.end(range);
            if (!written) {
                // Calls that wait for these bytes must learn that the bytes will not come.
                signal();
            }
        }
    }

    private void await(long position, long begin) throws IOException {
        lock.lock();
        try {
            awaitLocked(position, begin);
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the file reaches a position, or cannot be expected to. Calls that begin meanwhile wake nobody: a call that has waited in vain checks
     * whether the bytes are coming by now.
     */
    private void awaitLocked(long position, long begin) throws IOException {
        while (open && end < position) {
            boolean arriving = ranges.reach(spill.reach(ranges.reach(end))) >= position;
            Duration longest = arriving ? LONGEST_WAIT : options.turn();
            long left = longest.toNanos() - (System.nanoTime() - begin);
            if (left <= 0) {
                return;
            }
            try {
                advanced.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for the bytes before");
            }
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }

    private void put(Object peer, long offset, ByteBuffer bytes) throws IOException {
        if (offset > end) {
            requireSmallGap(offset);
            spill.put(peer, offset, bytes);
            return;
        }
        int known = (int) Math.min(end - offset, bytes.remaining());
        if (known > 0) {
            requireSame(offset, bytes.slice().limit(known));
        }
        if (known < bytes.remaining()) {
            bytes.position(bytes.position() + known);
            append(bytes);
            drain();
        }
    }

    private void requireSmallGap(long offset) throws StoreException {
        if (offset - end > LARGEST_GAP) {
            throw new StoreException(
                    Failure.FBIG, "a gap of " + (offset - end) + " bytes is too large to fill with zeros");
        }
    }

    private void requireSame(long offset, ByteBuffer bytes) throws IOException {
        ByteBuffer written = ByteBuffer.allocate(bytes.remaining());
        flush();
        backing.read(version, written, offset);
        if (!written.flip().equals(bytes)) {
            throw new StoreException(
                    Failure.NOTSUPP,
                    "bytes from " + offset + " on were already written with other content, and HDFS can only append");
        }
    }

    private void append(ByteBuffer bytes) throws IOException {
        try {
            while (bytes.hasRemaining()) {
                int count = Math.min(chunk.length, bytes.remaining());
                bytes.get(chunk, 0, count);
                stream.write(chunk, 0, count);
                end += count;
            }
        } catch (IOException e) {
            fail();
            throw e;
        }
        advanced.signalAll();
    }

    /** Appends the spilled bytes that no gap precedes any more. */
    private void drain() throws IOException {
        spill.dropBefore(end);
        while (!spill.isEmpty() && spill.first() == end) {
            long reach = spill.reach(end);
            ByteBuffer part = ByteBuffer.allocate((int) Math.min(reach - end, 1 << 20));
            spill.read(part, end);
            append(part.flip());
            spill.dropBefore(end);
        }
    }

    /** Appends zeros up to a length, but no more than there are left, and then the spilled bytes that follow. Returns how many zeros are left. */
    private long fill(long length, long zeros) throws IOException {
        long from = end;
        long until = Math.max(from, Math.min(length, from + Math.min(zeros, LARGEST_GAP)));
        while (end < until) {
            append(ByteBuffer.allocate((int) Math.min(until - end, CHUNK)));
        }
        drain();
        return zeros - (until - from);
    }

    private void modified() {
        FileTime now = FileTime.fromMillis(System.currentTimeMillis());
        modified = now.compareTo(modified) > 0 ? now : modified;
    }

    /**
     * Extends the file with zeros.
     *
     * @throws StoreException of JUKEBOX if more than {@value #MOST_ZEROS} are needed; the next call writes more of them
     */
    void extend(long length) throws IOException {
        lock.lock();
        try {
            requireOpen();
            requireSmallGap(length);
            long left = fill(length, fillHoles(MOST_ZEROS));
            modified();
            requireFilled(end >= length || left > 0);
        } finally {
            lock.unlock();
        }
    }

    /** Fills the gaps before spilled bytes with zeros. Returns how many zeros are left. */
    private long fillHoles(long zeros) throws IOException {
        long left = zeros;
        while (!spill.isEmpty() && left > 0) {
            left = fill(spill.first(), left);
        }
        return left;
    }

    private static void requireFilled(boolean filled) throws StoreException {
        if (!filled) {
            throw new StoreException(Failure.JUKEBOX, "a call writes at most " + MOST_ZEROS + " zeros into gaps");
        }
    }

    /**
     * Reads until the buffer is full or the file ends.
     *
     * @return the position after the last byte
     * @throws ClosedChannelException if the stream has been closed; the file system then has all bytes
     */
    long read(ByteBuffer destination, long offset) throws IOException {
        long position = offset;
        while (destination.hasRemaining()) {
            long readable;
            lock.lock();
            try {
                requireOpen();
                if (position >= end) {
                    int before = destination.position();
                    spill.read(destination, position);
                    return position + destination.position() - before;
                }
                readable = Math.min(end, position + destination.remaining());
                if (readable > visible) {
                    flush();
                }
            } finally {
                lock.unlock();
            }
            ByteBuffer part = destination.slice().limit((int) (readable - position));
            backing.read(version, part, position);
            destination.position(destination.position() + part.position());
            position = readable;
        }
        return position;
    }

    private void flush() throws IOException {
        try {
            stream.hflush();
            visible = end;
        } catch (IOException e) {
            fail();
            throw e;
        }
    }

    /**
     * Brings everything to stable storage. The client may still send the bytes of a gap, unless nothing has arrived for a while: then the gap is a
     * hole.
     *
     * @throws StoreException of JUKEBOX if bytes of a gap may still arrive, or the gaps take more than {@value #MOST_ZEROS} zeros; the next call writes
     *     more of them
     */
    void sync() throws IOException {
        lock.lock();
        try {
            requireOpen();
            if (!spill.isEmpty()) {
                awaitLocked(spill.end(), System.nanoTime());
                requireOpen();
            }
            if (!spill.isEmpty()
                    && System.nanoTime() - lastBrought < options.hole().toNanos()) {
                throw new StoreException(
                        Failure.JUKEBOX, "bytes before " + spill.first() + " are missing, but may still arrive");
            }
            fillHoles(MOST_ZEROS);
            requireFilled(spill.isEmpty());
            force();
        } finally {
            lock.unlock();
        }
    }

    private void force() throws IOException {
        if (stable == end) {
            return;
        }
        try {
            stream.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
            visible = end;
            stable = end;
        } catch (IOException e) {
            fail();
            throw e;
        }
    }

    /** Changes the verifier first: a caller that finds the stream closed considers the data stable. */
    private void fail() {
        backing.broken();
        open = false;
        advanced.signalAll();
        try {
            spill.close();
        } catch (IOException e) {
            // Spilled bytes are lost with the rest, and the verifier has changed already.
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** Closes the stream. Gaps become holes. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try (spill) {
            if (!open) {
                return;
            }
            fillHoles(Long.MAX_VALUE);
            force();
            open = false;
            advanced.signalAll();
            try {
                stream.close();
            } catch (IOException e) {
                backing.broken();
                throw e;
            }
            backing.closed(modified);
        } finally {
            lock.unlock();
        }
    }
}
