// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.Store.CommitResult;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.posix.Namespace.Locks;
import org.emplace.xdr.Payload;

/** Reads and writes the contents of files. Opens files as the server's user, after asking the kernel whether the caller may. */
final class Contents implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Contents.class.getName());

    private final DirectoryTree tree;
    private final Credentials credentials;
    private final Rights rights;
    private final Locks locks;
    private final WriteVerifier verifier;
    private final OpenFiles<FileId, FileChannel> readers;
    private final OpenFiles<FileId, Writer> writers;

    Contents(DirectoryTree tree, Credentials credentials, Locks locks, WriteVerifier verifier, PosixOptions options) {
        this.tree = tree;
        this.credentials = credentials;
        this.rights = new Rights(credentials);
        this.locks = locks;
        this.verifier = verifier;
        this.readers = new OpenFiles<>(options.openFiles(), options.idle(), e -> log("reading", e));
        this.writers = new OpenFiles<>(options.openFiles(), options.idle(), e -> log("writing", e));
    }

    private static void log(String use, IOException failure) {
        LOG.log(Level.DEBUG, "closing a file that was open for " + use + " failed: " + failure.getMessage());
    }

    /**
     * Opens a file with O_NONBLOCK. Without it, opening would wait for a local program that holds a lease on the file; with it, the kernel asks the
     * program to return the lease, and the client tries again later. Java opens files without this flag, so it reopens the open descriptor.
     */
    private static Descriptor open(FileNode file, int access) throws IOException {
        long opened = SystemCalls.reopen(file.number(), access | SystemCalls.NON_BLOCKING);
        return Descriptor.of(opened, "opening a file");
    }

    private static FileChannel openToRead(FileNode file) throws IOException {
        try (Descriptor opened = open(file, SystemCalls.READ_ONLY)) {
            return FileChannel.open(Path.of("/proc/self/fd/" + opened.number()), StandardOpenOption.READ);
        }
    }

    private OpenFiles<FileId, Writer>.Use openToWrite(Caller caller, FileNode file) throws IOException {
        return writers.use(caller.peer(), file.id(), () -> new Writer(open(file, SystemCalls.WRITE_ONLY), verifier));
    }

    ReadableFile read(Caller caller, FileId id) throws IOException {
        FileNode file = regular(id);
        try {
            rights.requireRead(caller, file);
            return new OpenReading(file, readers.use(caller.peer(), file.id(), () -> openToRead(file)));
        } catch (IOException | RuntimeException e) {
            Descriptor.closeAfter(e, file.descriptor());
            throw e;
        }
    }

    private FileNode regular(FileId id) throws IOException {
        try {
            return tree.node(id).requireRegular();
        } catch (StoreException e) {
            if (e.failure() == Failure.STALE) {
                forget(id);
            }
            throw e;
        }
    }

    private record OpenReading(FileNode file, OpenFiles<FileId, FileChannel>.Use use) implements ReadableFile {
        @Override
        public int read(ByteBuffer destination, long offset) throws IOException {
            int start = destination.position();
            int limit = destination.limit();
            // The kernel rejects reads beyond the largest offset.
            destination.limit(start + (int) Math.min(limit - start, Long.MAX_VALUE - offset));
            try {
                int count = 0;
                while (count >= 0 && destination.hasRemaining()) {
                    count = use.file().read(destination, offset + destination.position() - start);
                }
            } catch (ClosedChannelException e) {
                // Interrupting a thread closes the channel that it was using, for all threads.
                throw new StoreException(Failure.JUKEBOX, "the file has to be opened again");
            } finally {
                destination.limit(limit);
            }
            return destination.position() - start;
        }

        @Override
        public Optional<FileChannel> channel() {
            return Optional.of(use.file());
        }

        /** By a descriptor of its own, since searching moves the position of the file that others use. */
        @Override
        public OptionalLong seek(long offset, boolean hole) throws IOException {
            try (Descriptor own = open(file, SystemCalls.READ_ONLY)) {
                long found = SystemCalls.seek(own.number(), offset, hole ? SystemCalls.HOLE : SystemCalls.DATA);
                return Errno.ENXIO.is(found)
                        ? OptionalLong.empty()
                        : OptionalLong.of(Errno.check(found, "searching a file"));
            }
        }

        @Override
        public FileAttributes attributes() throws IOException {
            return file.now();
        }

        @Override
        public void close() throws IOException {
            use.close();
            file.close();
        }
    }

    WriteResult write(Caller caller, FileId id, long offset, Payload data, Stability stability) throws IOException {
        if (offset < 0 || offset > Long.MAX_VALUE - data.length()) {
            throw new StoreException(Failure.FBIG, "a write beyond the largest offset");
        }
        // Fetching may wait for the client, so it comes before anything is opened or locked.
        ByteBuffer bytes = data.buffer();
        try (FileNode file = regular(id)) {
            rights.requireWrite(caller, file);
            try (OpenFiles<FileId, Writer>.Use use = openToWrite(caller, file)) {
                WriteResult written = write(caller, file, use.file(), offset, bytes, stability);
                if (stability != Stability.UNSTABLE) {
                    use.file().synchronize(stability == Stability.FILE_SYNC);
                }
                return written;
            }
        }
    }

    /** Writes as the caller, so that quotas apply and the kernel removes set-user-ID and set-group-ID bits. */
    private WriteResult write(
            Caller caller, FileNode file, Writer open, long offset, ByteBuffer bytes, Stability stability)
            throws IOException {
        int length = bytes.remaining();
        try (Memory copy = bytes.isDirect() || length == 0 ? null : new Memory(length)) {
            if (copy != null) {
                copy.getByteBuffer(0, length).put(bytes.duplicate());
            }
            long address = length == 0
                    ? 0
                    : Pointer.nativeValue(copy != null ? copy : Native.getDirectBufferPointer(bytes.slice()));
            synchronized (locks.of(file)) {
                // The verifier from before the write, in case that another call finds out in the meantime that data was
                // lost.
                long current = verifier.value();
                FileAttributes before = file.now();
                long count = open.write(
                        () -> credentials.call(caller, () -> writeAll(open.number(), address, length, offset)));
                Errno.check(count, "writing");
                WeakCacheConsistency change = new WeakCacheConsistency(Optional.of(before), Optional.of(file.now()));
                return new WriteResult((int) count, stability, current, change);
            }
        } finally {
            Reference.reachabilityFence(bytes);
        }
    }

    /** Has the kernel copy as the caller, for the same reasons. */
    WriteResult copy(Caller caller, FileId from, long fromOffset, FileId to, long toOffset, int count)
            throws IOException {
        try (FileNode source = regular(from);
                FileNode target = regular(to)) {
            rights.requireRead(caller, source);
            rights.requireWrite(caller, target);
            try (Descriptor read = open(source, SystemCalls.READ_ONLY);
                    OpenFiles<FileId, Writer>.Use use = openToWrite(caller, target)) {
                Writer open = use.file();
                synchronized (locks.of(target)) {
                    long current = verifier.value();
                    FileAttributes before = target.now();
                    long[] offsets = {fromOffset, toOffset};
                    long copied = open.write(() -> credentials.call(
                            caller, () -> SystemCalls.copy(read.number(), open.number(), offsets, count)));
                    Errno.check(copied, "copying");
                    WeakCacheConsistency change =
                            new WeakCacheConsistency(Optional.of(before), Optional.of(target.now()));
                    return new WriteResult((int) copied, Stability.UNSTABLE, current, change);
                }
            }
        }
    }

    private static long writeAll(int descriptor, long address, int length, long offset) {
        long done = 0;
        while (done < length) {
            long count = SystemCalls.write(descriptor, address + done, length - done, offset + done);
            if (count <= 0 && !Errno.EINTR.is(count)) {
                return done > 0 ? done : count;
            }
            done += Math.max(count, 0);
        }
        return done;
    }

    CommitResult commit(Caller caller, FileId id) throws IOException {
        try (FileNode file = regular(id)) {
            rights.requireWrite(caller, file);
            // A loss of data since the client's writes must be visible: here, or by a verifier other than the client's.
            long current = verifier.value();
            try (OpenFiles<FileId, Writer>.Use use = openToWrite(caller, file)) {
                use.file().synchronize(false);
            }
            if (verifier.value() != current) {
                throw new StoreException(Failure.IO, "data was lost in the meantime, perhaps of this file");
            }
            // COMMIT changes no attributes, and others may write while it waits for the disk. So both attributes are of
            // the same moment.
            Optional<FileAttributes> now = Optional.of(file.now());
            return new CommitResult(current, new WeakCacheConsistency(now, now));
        }
    }

    /** Opens a file whose length a caller sets. */
    OpenFiles<FileId, Writer>.Use openToResize(Caller caller, FileNode file) throws IOException {
        rights.requireWrite(caller, file);
        return openToWrite(caller, file);
    }

    /** Keeps a file open for writing that was opened by creating it: its mode may not permit opening it again. */
    void adopt(Caller caller, FileNode made) throws IOException {
        Descriptor kept = Descriptor.of(SystemCalls.duplicate(made.number()), "keeping a file open");
        writers.adopt(caller.peer(), made.id(), new Writer(kept, verifier));
    }

    /** Closes a removed file, because its space is freed only then. */
    void forget(FileId id) {
        readers.forget(id);
        writers.forget(id);
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
    }
}
