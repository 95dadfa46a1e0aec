// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.emplace.rpc.RpcException;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.contents.CachedFile;
import org.emplace.samples.nfs.client.contents.ChannelReads;
import org.emplace.samples.nfs.client.contents.Pieces;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.jspecify.annotations.Nullable;

/**
 * An open file: a position, and the rules of {@link FileChannel}. Its bytes are those of a {@link CachedFile}, which all channels of the
 * file share. Closing brings what was written to stable storage. Several threads can do positional reads and writes at the same time.
 */
public final class NfsFileChannel extends FileChannel {
    /** Direct buffers of at least this many bytes are written in place, and to stable storage at once. */
    private static final int LEAST_WRITTEN_THROUGH = 64 * 1024;

    private static final int COPY_STEP = 256 * 1024;

    private final NfsFileSystem fileSystem;
    private final NfsMount mount;
    private final NfsPath path;
    private final Options.Open options;
    private final CachedFile.Writer writer = this::lost;
    private final AtomicReference<@Nullable IOException> loss = new AtomicReference<>();
    private final AtomicLong lossesSeen; // of the file, whoever wrote
    private final BlockedThreads blocked = new BlockedThreads();
    private final ReentrantLock lock = new ReentrantLock(); // guards the position and the sequential reads
    private volatile CachedFile file;
    private ChannelReads reads;
    private long position;
    /** Guards the exchange of the file, which ends when it is not only listed. */
    private final Object exchange = new Object();

    private volatile boolean onlyListed;
    private volatile boolean uninterruptible;

    /** @param onlyListed whether the file is known from a listing, so that it may have been replaced since */
    NfsFileChannel(
            NfsFileSystem fileSystem,
            NfsMount mount,
            NfsPath path,
            CachedFile file,
            Options.Open options,
            boolean onlyListed) {
        this.fileSystem = fileSystem;
        this.mount = mount;
        this.path = path;
        this.options = options;
        this.file = file;
        this.lossesSeen = new AtomicLong(file.losses());
        this.reads = new ChannelReads(file);
        this.onlyListed = onlyListed;
    }

    /** Makes interrupts fail an operation instead of closing the channel, for streams. */
    NfsFileChannel uninterruptible() {
        uninterruptible = true;
        return this;
    }

    /** The contents of the open file. */
    CachedFile file() {
        return file;
    }

    private void lost(IOException why) {
        loss.compareAndSet(null, why);
        lossesSeen.set(file.losses());
    }

    /** Reports once that something that others have written has been lost since this channel was opened. */
    private void throwLossOfOthers() throws IOException {
        long losses = file.losses();
        if (lossesSeen.getAndSet(losses) != losses) {
            throw file.lastLoss();
        }
    }

    /** Reports that something written before has been lost, once. */
    private void throwLoss() throws IOException {
        @Nullable IOException why = loss.getAndSet(null);
        if (why != null) {
            throw why;
        }
    }

    /** Work on the open file. */
    @FunctionalInterface
    private interface Work<R> {
        R run() throws IOException, InterruptedException;
    }

    /**
     * Does work that closing the channel, or an interrupt, can end. Must not be called with the lock held, because an interrupt closes the
     * channel: when the thread has left all operations that it is in, as a transfer is one of two channels. Otherwise two threads that copy
     * in opposite directions, and each close a channel, would wait for each other.
     */
    private <R> R perform(Work<R> work) throws IOException {
        boolean interruptedBefore = uninterruptible && Thread.interrupted();
        Thread thread = Thread.currentThread();
        @Nullable List<NfsFileChannel> outer = fileSystem.inside().get(thread);
        List<NfsFileChannel> toClose = outer == null ? new ArrayList<>() : outer;
        if (outer == null) {
            fileSystem.inside().put(thread, toClose);
        }
        try {
            return wakeable(work);
        } catch (NfsException | RpcException e) { // others may come from the local end of a copy
            throw NfsException.about(e, path, null);
        } catch (InterruptedException e) {
            thread.interrupt();
            if (uninterruptible) {
                throw new InterruptedIOException(path + ": the thread was interrupted");
            }
            toClose.add(this);
            ClosedByInterruptException closed = new ClosedByInterruptException();
            closed.initCause(e);
            throw closed;
        } finally {
            if (interruptedBefore) {
                thread.interrupt();
            }
            if (outer == null) {
                fileSystem.inside().remove(thread);
                closeAll(toClose);
            }
        }
    }

    private static void closeAll(List<NfsFileChannel> channels) throws IOException {
        if (!channels.isEmpty()) {
            try {
                channels.remove(0).close();
            } finally {
                closeAll(channels);
            }
        }
    }

    private <R> R wakeable(Work<R> work) throws IOException, InterruptedException {
        blocked.enter();
        try {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            throwLoss();
            return work.run();
        } catch (InterruptedException e) {
            if (blocked.isWoken()) {
                throw new AsynchronousCloseException();
            }
            throw e;
        } finally {
            blocked.leave();
        }
    }

    private <R> R locked(Work<R> work) throws IOException {
        return perform(() -> {
            lock.lockInterruptibly();
            try {
                if (!isOpen()) {
                    throw new AsynchronousCloseException();
                }
                return work.run();
            } finally {
                lock.unlock();
            }
        });
    }

    /** A question to the server about a file. */
    @FunctionalInterface
    private interface Question {
        long about(CachedFile asked) throws IOException, InterruptedException;
    }

    /**
     * Asks the server for the file. If it has only been listed and is stale, its name may belong to another file by now, which is then the
     * one that was opened. A file that the server has answered for is never exchanged. Asks again if another thread has exchanged it.
     */
    private long asking(Question question) throws IOException, InterruptedException {
        while (true) {
            CachedFile asked = file;
            try {
                long answer = question.about(asked);
                if (isAnsweredFor(asked)) {
                    return answer;
                }
            } catch (NfsException e) {
                if (e.status() != Nfsstat3.NFS3ERR_STALE || !isExchanged(asked)) {
                    throw e;
                }
            }
        }
    }

    /** The server has answered for a file. Returns false if that has been exchanged before. */
    private boolean isAnsweredFor(CachedFile asked) {
        synchronized (exchange) {
            if (file == asked) {
                onlyListed = false;
            }
            return file == asked;
        }
    }

    /** Exchanges a file that has only been listed, and is stale. Returns whether it has been exchanged, now or before. */
    private boolean isExchanged(CachedFile stale) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (onlyListed && file == stale) {
                CachedFile found = FileOpening.reopen(mount, path, options);
                boolean exchanges;
                synchronized (exchange) {
                    exchanges = onlyListed; // unless the server has answered another thread meanwhile
                    onlyListed = false;
                    file = exchanges ? found : stale;
                }
                if (exchanges) {
                    reads.stop();
                    lossesSeen.set(found.losses());
                    reads = new ChannelReads(found);
                }
                fileSystem.closed(exchanges ? stale : found);
            }
            return file != stale;
        } finally {
            lock.unlock();
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

    @Override
    public int read(ByteBuffer into) throws IOException {
        return (int) read(new ByteBuffer[] {into}, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
        Pieces into = Pieces.of(buffers, offset, length);
        checkReadable();
        checkRoom(into);
        return locked(() -> {
            flush();
            long read = into.remaining() == 0 ? 0 : asking(asked -> reads.read(into, position));
            position += Math.max(0, read);
            return read;
        });
    }

    /** Sends what has been written, and reports its loss before anything is read. */
    private void flush() throws IOException, InterruptedException {
        file.flush();
        throwLoss();
    }

    private static void checkRoom(Pieces into) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("a buffer is read-only");
        }
    }

    @Override
    public int read(ByteBuffer into, long from) throws IOException {
        checkPosition(from);
        checkReadable();
        checkRoom(Pieces.of(into));
        return perform(() -> {
            flush();
            if (!into.hasRemaining()) {
                return 0;
            }
            long read = asking(asked -> new ChannelReads(asked).inPlace(Pieces.of(into.duplicate()), from));
            into.position(into.position() + (int) Math.max(0, read));
            return (int) read;
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
        return locked(() -> {
            long size = from.remaining();
            position = write(from, options.append() ? CachedFile.END : position) + size;
            return size;
        });
    }

    @Override
    public int write(ByteBuffer from, long to) throws IOException {
        checkPosition(to);
        checkWritable();
        return perform(() -> {
            int size = from.remaining();
            write(Pieces.of(from), options.append() ? CachedFile.END : to);
            return size;
        });
    }

    /** Returns the position of the written bytes. */
    private long write(Pieces from, long to) throws IOException, InterruptedException {
        boolean through = options.stable() || (from.areDirect() && from.remaining() >= LEAST_WRITTEN_THROUGH);
        long at = file.write(writer, from, to, through);
        throwLoss();
        return at;
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
        return locked(() -> {
            flush();
            return asking(asked -> asked.attributes().size());
        });
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        if (size < 0) {
            throw new IllegalArgumentException("a negative size: " + size);
        }
        checkWritable();
        return locked(() -> {
            file.truncate(size);
            throwLoss();
            position = Math.min(position, size);
            return this;
        });
    }

    /** Also commits what others have written, and reports once if that has been lost since this channel was opened. */
    @Override
    public void force(boolean metaData) throws IOException {
        perform(() -> {
            file.force();
            throwLoss();
            throwLossOfOthers();
            return this;
        });
    }

    /** Keeps as many READs in flight as there are buffers. */
    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        checkPosition(from);
        checkPosition(count);
        checkReadable();
        return perform(() -> {
            flush();
            return count == 0 ? 0L : asking(asked -> asked.transferTo(from, count, new Known(asked, target)));
        });
    }

    /**
     * If the source is seekable, keeps as many WRITEs in flight as there are buffers, and brings the data to stable storage: the source can
     * be read again if the server restarts. Not if it is this file, which by then has been overwritten. A channel that appends adds the
     * parts of any source to the end, wherever that is by then.
     */
    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        checkPosition(to);
        checkPosition(count);
        checkWritable();
        if (to > 0 && to > size()) {
            return 0;
        }
        boolean within =
                source instanceof NfsFileChannel other && other.file().handle().equals(file.handle());
        if (source instanceof SeekableByteChannel seekable && !options.append() && !within) {
            // Not under the lock: at the same time another thread may copy from this channel to the source.
            return perform(() -> {
                long moved = file.transferFrom(seekable, to, Math.min(count, Long.MAX_VALUE - to));
                throwLoss();
                return moved;
            });
        }
        ByteBuffer step = ByteBuffer.allocate((int) Math.min(count, COPY_STEP));
        long moved = 0;
        while (moved < count && load(source, step.clear().limit((int) Math.min(step.capacity(), count - moved)))) {
            moved += write(step.flip(), to + moved);
        }
        long all = moved;
        return source instanceof SeekableByteChannel
                ? perform(() -> {
                    file.commit(writer);
                    throwLoss();
                    return all;
                })
                : all;
    }

    /** Reads what there is; more than one read only from a file, which others do not wait for. Returns whether there was anything. */
    private static boolean load(ReadableByteChannel source, ByteBuffer into) throws IOException {
        int read = source.read(into);
        while (read > 0 && into.hasRemaining() && source instanceof SeekableByteChannel) {
            read = source.read(into);
        }
        return into.position() > 0;
    }

    /** Sets attributes of the file by one call. */
    public void setAttributes(Sattr3 attributes) throws IOException {
        perform(() -> {
            flush();
            file.setAttributes(attributes);
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

    /** The target of a transfer. When it gets bytes, the file is the one that was opened. */
    private final class Known implements WritableByteChannel {
        private final CachedFile asked;
        private final WritableByteChannel target;

        Known(CachedFile asked, WritableByteChannel target) {
            this.asked = asked;
            this.target = target;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (!isAnsweredFor(asked)) {
                throw new NfsException(Nfsstat3.NFS3ERR_STALE);
            }
            return target.write(bytes);
        }

        @Override
        public boolean isOpen() {
            return target.isOpen();
        }

        @Override
        public void close() throws IOException {
            target.close();
        }
    }

    /** Ends the operations of other threads. Sends what was written even if the thread is interrupted. */
    @Override
    protected void implCloseChannel() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            interrupted |= blocked.end();
            reads.stop();
            sendLast();
        } catch (NfsException | RpcException e) {
            throw NfsException.about(e, path, null);
        } catch (InterruptedException e) {
            interrupted = true;
            ClosedByInterruptException lost = new ClosedByInterruptException();
            lost.initCause(e);
            throw lost;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void sendLast() throws IOException, InterruptedException {
        boolean sent = false;
        try {
            file.commit(writer);
            sent = true;
            throwLoss();
        } finally {
            if (!sent) {
                file.abandon(writer);
            }
            fileSystem.closed(this);
            if (options.deleteOnClose()) {
                fileSystem.entries().removeQuietly(path, file.handle());
            }
        }
    }
}
