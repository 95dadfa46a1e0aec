// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.emplace.rpc.RpcException;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.calls.RemoteNode;
import org.emplace.samples.nfs.client.contents.ChannelReads;
import org.emplace.samples.nfs.client.contents.Pieces;
import org.emplace.samples.nfs.client.contents.WriteBehind;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Sattr3;

/**
 * An open file. Reads ahead while reads are sequential, and gathers small writes to send them later. Data moves between the server and
 * direct buffers without a copy. Closing brings all data to stable storage. Several threads can do positional reads at the same time.
 */
public final class NfsFileChannel extends FileChannel {
    /** Direct buffers of at least this many bytes are written in place, and to stable storage at once. */
    private static final int LEAST_WRITTEN_THROUGH = 64 * 1024;

    private static final int COPY_STEP = 256 * 1024;

    private final NfsFileSystem fileSystem;
    private final NfsMount mount;
    private final NfsPath path;
    private final RemoteNode file;
    private final Options.Open options;
    private final ChannelReads reads;
    private final WriteBehind writes;
    private final ReentrantLock lock = new ReentrantLock();
    private long position;
    private long end; // of the file, while unsent writes are held
    private volatile boolean endIsOld;
    private volatile long sizeSeen;

    NfsFileChannel(NfsFileSystem fileSystem, NfsMount mount, NfsPath path, RemoteNode file, Options.Open options) {
        this.fileSystem = fileSystem;
        this.mount = mount;
        this.path = path;
        this.file = file;
        this.options = options;
        this.reads = new ChannelReads(mount.reader(), file.handle());
        this.writes = new WriteBehind(mount.writer(), file.handle());
        this.sizeSeen = file.attributes().size();
    }

    /** Work on the open file. */
    @FunctionalInterface
    private interface Work<R> {
        R run() throws IOException, InterruptedException;
    }

    /** Does work that has to see what all channels of this file system have written. Flushes them one by one, each under its own lock. */
    private <R> R flushed(Work<R> work) throws IOException {
        return open(() -> {
            fileSystem.flush(file.handle());
            return locked(() -> {
                writes.throwFailure();
                return work.run();
            });
        });
    }

    /** Writes after other channels have committed what they hold of these bytes, which would overwrite this write if it were sent later. */
    private <R> R writing(long to, long length, Work<R> work) throws IOException {
        return open(() -> {
            fileSystem.commitOthers(this, file.handle(), to, to + length);
            return locked(work);
        });
    }

    private <R> R locked(Work<R> work) throws IOException {
        return open(() -> {
            lock.lock();
            try {
                if (!isOpen()) {
                    throw new ClosedChannelException();
                }
                return work.run();
            } finally {
                lock.unlock();
            }
        });
    }

    /** Must not be called with the lock held, because an interrupt closes the channel. */
    private <R> R open(Work<R> work) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        try {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            return work.run();
        } catch (NfsException | RpcException e) { // others may come from the local end of a copy
            throw NfsException.about(e, path, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            ClosedByInterruptException closed = new ClosedByInterruptException();
            closed.initCause(e);
            throw closed;
        }
    }

    private void checkReadable() {
        if (!options.read()) {
            throw new NonReadableChannelException();
        }
    }

    private void checkWritable() {
        if (!options.write()) {
            throw new NonWritableChannelException();
        }
    }

    NfsFh3 handle() {
        return file.handle();
    }

    /** Sends the unsent writes, if there are any. If that fails, this channel's next operation reports it. */
    void flush() throws InterruptedException {
        if (holdsWrites()) {
            send(() -> {
                writes.flush();
                return this;
            });
            fileSystem.changed(file.handle());
            fileSystem.written(null, file.handle()); // a read-ahead may have begun between the write and its sending
        }
    }

    /** Whether there are unsent writes. */
    boolean holdsWrites() {
        return !writes.isFlushed();
    }

    /**
     * Brings to stable storage the bytes that another channel is about to write, so that they are never sent again. If that fails, this
     * channel's next operation reports it.
     */
    void commit(long from, long to) throws InterruptedException {
        if (writes.mayHold(from, to)) {
            send(writes::commit);
        }
    }

    /** Sends writes under the lock, and keeps a failure for the next operation. */
    private void send(Work<?> sending) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            sending.run();
        } catch (IOException e) {
            writes.failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** Called when somebody else has changed the file's contents. */
    void written() {
        endIsOld = true;
        reads.contentsChanged();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return (int) read(new ByteBuffer[] {into}, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
        Pieces into = Pieces.of(buffers, offset, length);
        checkReadable();
        checkRoom(into);
        return flushed(() -> {
            long read = reads.read(into, position, sizeSeen);
            position += Math.max(0, read);
            return read;
        });
    }

    private static void checkRoom(Pieces into) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("a buffer is read-only");
        }
    }

    @Override
    public int read(ByteBuffer into, long from) throws IOException {
        checkPosition(from);
        Pieces pieces = Pieces.of(into);
        checkReadable();
        checkRoom(pieces);
        return open(() -> {
            fileSystem.flush(file.handle());
            return into.hasRemaining() ? (int) reads.inPlace(pieces, from) : 0;
        });
    }

    private static void checkPosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("a negative position: " + position);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return (int) write(new ByteBuffer[] {from}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
        Pieces from = Pieces.of(buffers, offset, length);
        checkWritable();
        boolean append = options.append();
        return writing(append ? 0 : position, append ? Long.MAX_VALUE : from.remaining(), () -> {
            if (append) {
                position = endOfFile();
            }
            long written = write(from, position);
            position += written;
            return written;
        });
    }

    /** Known without a call while this channel gathers writes and nobody else writes. */
    private long endOfFile() throws IOException, InterruptedException {
        if (endIsOld || writes.isFlushed()) {
            endIsOld = false;
            end = sizeNow();
        }
        return end;
    }

    @Override
    public int write(ByteBuffer from, long to) throws IOException {
        checkPosition(to);
        checkWritable();
        return writing(to, from.remaining(), () -> (int) write(Pieces.of(from), to));
    }

    private long write(Pieces from, long to) throws IOException, InterruptedException {
        long size = from.remaining();
        if (size == 0) {
            return 0;
        }
        startWriting();
        boolean through = options.stable() || (from.areDirect() && size >= LEAST_WRITTEN_THROUGH);
        if (through) {
            writeThrough(from, to);
        } else {
            writeBehind(from, to);
        }
        written(to + size);
        return size;
    }

    private void startWriting() {
        fileSystem.changed(file.handle());
        reads.stop();
    }

    private void written(long to) {
        end = Math.max(end, to);
        sizeSeen = Math.max(sizeSeen, to);
        fileSystem.changed(file.handle());
        fileSystem.written(this, file.handle());
    }

    private void writeBehind(Pieces from, long to) throws IOException, InterruptedException {
        long at = to;
        while (from.remaining() > 0) {
            ByteBuffer next = from.first();
            int before = next.remaining();
            writes.write(next, at);
            at += before - next.remaining();
            if (before == next.remaining()) {
                writeThrough(from, at);
            }
        }
    }

    private void writeThrough(Pieces from, long to) throws IOException, InterruptedException {
        writes.commit(); // what was written before must not be sent later
        mount.writer().writeThrough(file.handle(), to, from);
        from.advance(from.remaining());
    }

    @Override
    public long position() throws IOException {
        return options.append() ? size() : locked(() -> position);
    }

    @Override
    public FileChannel position(long to) throws IOException {
        checkPosition(to);
        return locked(() -> {
            position = to;
            return this;
        });
    }

    @Override
    public long size() throws IOException {
        return flushed(this::sizeNow);
    }

    private long sizeNow() throws IOException, InterruptedException {
        writes.flush();
        sizeSeen = mount.files().attributes(file.handle()).size();
        return sizeSeen;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        if (size < 0) {
            throw new IllegalArgumentException("a negative size: " + size);
        }
        checkWritable();
        return writing(size, Long.MAX_VALUE - size, () -> {
            fileSystem.changed(file.handle());
            reads.stop();
            writes.commit(); // what is cut off must not be sent again
            if (size < sizeNow()) {
                mount.files().setAttributes(file.handle(), RemoteAttributes.size(size));
                sizeSeen = size;
                fileSystem.changed(file.handle());
                fileSystem.written(this, file.handle());
            }
            position = Math.min(position, size);
            return this;
        });
    }

    /** Also commits what others have written, if this channel has nothing to commit. */
    @Override
    public void force(boolean metaData) throws IOException {
        locked(() -> {
            if (!writes.commit() && file.isRegularFile()) {
                mount.writer().commit(file.handle());
            }
            fileSystem.changed(file.handle());
            return this;
        });
    }

    /** Keeps as many READs in flight as there are buffers. */
    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        checkPosition(from);
        checkPosition(count);
        checkReadable();
        return open(() -> {
            fileSystem.flush(file.handle());
            return mount.reader().read(file.handle(), from, count, sizeSeen, target);
        });
    }

    /**
     * If the source is seekable, keeps as many WRITEs in flight as there are buffers, and brings the data to stable storage: the source can
     * be read again if the server restarts.
     */
    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        checkPosition(to);
        checkPosition(count);
        checkWritable();
        if (to > 0 && to > size()) {
            return 0;
        }
        if (source instanceof SeekableByteChannel seekable) {
            return transferFrom(seekable, to, Math.min(count, Long.MAX_VALUE - to));
        }
        ByteBuffer step = ByteBuffer.allocate((int) Math.min(count, COPY_STEP));
        long moved = 0;
        while (moved < count) {
            step.clear().limit((int) Math.min(step.capacity(), count - moved));
            if (source.read(step) <= 0) {
                break;
            }
            moved += write(step.flip(), to + moved);
        }
        return moved;
    }

    /** Not under the lock: at the same time another thread may copy from this channel to the source. */
    private long transferFrom(SeekableByteChannel source, long to, long count) throws IOException {
        writing(to, count, () -> {
            startWriting();
            writes.commit(); // what was written before must not be sent later
            return this;
        });
        long moved = open(() -> mount.writer().write(source, file.handle(), to, count));
        locked(() -> {
            written(to + moved);
            return this;
        });
        return moved;
    }

    /** Sets attributes of the file by one call. */
    public void setAttributes(Sattr3 attributes) throws IOException {
        flushed(() -> {
            mount.files().setAttributes(file.handle(), attributes);
            fileSystem.changed(file.handle());
            return this;
        });
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("files on an NFS server cannot be mapped into memory");
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException("NFS version 3 has no locks; they are a protocol of their own (NLM)");
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) {
        return lock(from, size, shared);
    }

    /** Sends what was written even if the thread is interrupted. */
    @Override
    protected void implCloseChannel() throws IOException {
        boolean interrupted = Thread.interrupted();
        lock.lock();
        try {
            reads.stop();
            try {
                writes.commit();
            } finally {
                if (options.deleteOnClose()) {
                    fileSystem.operations().removeQuietly(mount, path);
                }
            }
        } catch (NfsException | RpcException e) {
            throw NfsException.about(e, path, null);
        } catch (InterruptedException e) {
            interrupted = true;
            writes.abandon();
            ClosedByInterruptException lost = new ClosedByInterruptException();
            lost.initCause(e);
            throw lost;
        } finally {
            lock.unlock();
            fileSystem.closed(this);
            if (options.write()) {
                fileSystem.changed(file.handle());
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
