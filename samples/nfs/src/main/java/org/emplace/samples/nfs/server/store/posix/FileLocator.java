// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/** Finds files by id. The default methods suit a locator that records no locations. Safe for use by several threads. */
interface FileLocator extends Closeable {

    /**
     * Opens a file only to locate it (O_PATH). The file has this id, but may have been removed.
     *
     * @param id one that {@link FileIds#require} accepts
     * @throws org.emplace.samples.nfs.server.store.StoreException of STALE if the file is gone, of JUKEBOX if the search for it continues
     */
    Descriptor open(FileId id) throws IOException;

    /** Records where a file is. Nobody renames it until this returns. */
    default void seen(FileId file, FileId directory, FileName name) {}

    /** Records that a file has lost this name. */
    default void lost(FileId file, FileId directory, FileName name) {}

    /** Records that a file no longer has any name. */
    default void removed(FileId file) {
        forget(file);
    }

    /** Closes a removed file, whose space is freed only then. */
    default void forget(FileId file) {}

    /** Records that a directory has moved. */
    default void moved(FileId directory) {}

    /** Runs an action. Meanwhile this process renames nothing, if that matters for recording locations. */
    default <T> T whileNothingMoves(FileOperation<T> action) throws IOException {
        return action.run();
    }

    /** Runs an action that renames a file and records it. */
    default <T> T moving(FileOperation<T> action) throws IOException {
        return action.run();
    }

    @Override
    default void close() throws IOException {}

    /**
     * Opens files by their kernel handles, which requires CAP_DAC_READ_SEARCH. Keeps them open while they are used: that takes fewer system calls, and what
     * is open stays the same file.
     *
     * @param root any file that is open for reading on the file system; not closed here
     */
    record HandleLocator(Descriptor root, FileIds ids, OpenFiles<FileId, Descriptor> kept) implements FileLocator {
        private static final int ATTEMPTS = 50;
        private static final long PAUSE_NANOS = 100_000;

        /** Whether the process may open files by their handles, and the file system supports that. */
        static boolean works(Descriptor root, FileId id) throws IOException {
            long opened = open(root, id);
            if (opened >= 0) {
                new Descriptor((int) opened).close();
            }
            return opened >= 0;
        }

        HandleLocator(Descriptor root, FileIds ids, int files, Duration idle) {
            this(root, ids, new OpenFiles<>(files, idle, failure -> {}));
        }

        @Override
        public Descriptor open(FileId id) throws IOException {
            OpenFiles<FileId, Descriptor>.Use use = kept.use(root, id, () -> openByHandle(id));
            return use.file().lend(use::close);
        }

        private Descriptor openByHandle(FileId id) throws IOException {
            long opened = open(root, id);
            if (Errno.EINVAL.is(opened)) {
                throw new StoreException(Failure.BADHANDLE, "not a handle of this file system: " + id);
            }
            Descriptor file = Descriptor.of(opened, "opening by handle");
            try {
                if (!ids.of(file, file.status()).equals(id)) {
                    throw new StoreException(Failure.STALE, "another file has its inode: " + id);
                }
                return file;
            } catch (IOException | RuntimeException e) {
                Descriptor.closeAfter(e, file);
                throw e;
            }
        }

        @Override
        public void forget(FileId file) {
            kept.forget(file);
        }

        @Override
        public void close() {
            kept.close();
        }

        /**
         * Opens a file. For a file that is gone, Linux sometimes answers ENOMEM while files are being created, and ESTALE a moment later (seen with ext4
         * on 6.18, within 14 attempts). A lasting lack of memory stays ENOMEM.
         */
        private static long open(Descriptor root, FileId id) {
            int flags = SystemCalls.PATH_ONLY | SystemCalls.NO_FOLLOW;
            long opened = SystemCalls.openByHandle(root.number(), FileIds.handle(id), flags);
            for (int attempt = 1; attempt < ATTEMPTS && Errno.ENOMEM.is(opened); attempt++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                opened = SystemCalls.openByHandle(root.number(), FileIds.handle(id), flags);
            }
            return opened;
        }
    }

    /**
     * Finds files where they were last seen, for a server that may not open them by handle. Compares the file that it reaches with the id, so
     * it may fail to find a file, but never finds a wrong one. Searches the whole tree ({@link TreeSearch}) for a file that has moved.
     */
    final class IndexLocator implements FileLocator {
        private static final int DEPTH_LIMIT = 1 << 16;

        /** Linux accepts paths of at most 4096 bytes, including the NUL. */
        private static final int PATH_LIMIT = 4095;

        private final Descriptor root;
        private final FileId rootId;
        private final FileIds ids;
        private final Locations locations;
        private final TreeSearch search;
        private final ReadWriteLock moves = new ReentrantReadWriteLock();

        /**
         * @param root not closed here
         * @param names the most names to remember
         */
        IndexLocator(Descriptor root, FileId rootId, FileIds ids, int names, LongSupplier nanoTime) {
            this.root = root;
            this.rootId = rootId;
            this.ids = ids;
            this.locations = new Locations(names);
            this.search = new TreeSearch(this, ids, rootId, nanoTime);
        }

        @Override
        public Descriptor open(FileId id) throws IOException {
            Descriptor known = openKnown(id);
            if (known == null) {
                search.find(id);
                known = openKnown(id);
            }
            if (known == null) {
                throw new StoreException(Failure.JUKEBOX, "the file was found, but moved again: " + id);
            }
            return known;
        }

        /** Whether the file was seen, and since then not found missing. */
        boolean knows(FileId id) {
            return !locations.of(id).isEmpty();
        }

        /** Opens a file where it was last seen; returns null if it is not there. */
        @Nullable
        Descriptor openKnown(FileId id) throws IOException {
            return whileNothingMoves(() -> openWhereSeen(id)).orElse(null);
        }

        private Optional<Descriptor> openWhereSeen(FileId id) throws IOException {
            if (id.equals(rootId)) {
                return Optional.ofNullable(descend(new ArrayDeque<>()));
            }
            for (Locations.Location location : locations.of(id)) {
                Deque<byte[]> names = namesTo(location);
                Descriptor found = names == null ? null : descend(names);
                if (found != null) {
                    if (idOf(found).equals(id)) {
                        return Optional.of(found);
                    }
                    found.close();
                }
                locations.remove(id, location);
            }
            return Optional.empty();
        }

        private FileId idOf(Descriptor found) throws IOException {
            try {
                return ids.of(found, found.status());
            } catch (IOException e) {
                Descriptor.closeAfter(e, found);
                throw e;
            }
        }

        private @Nullable Deque<byte[]> namesTo(Locations.Location location) {
            Deque<byte[]> names = new ArrayDeque<>();
            Locations.Location at = location;
            while (true) {
                names.addFirst(at.name().bytes());
                if (at.directory().equals(rootId)) {
                    return names;
                }
                var above = locations.of(at.directory());
                // A directory that was moved below one of its own subdirectories, while its parents were not looked up,
                // makes old locations form a cycle.
                if (above.isEmpty() || names.size() > DEPTH_LIMIT) {
                    return null;
                }
                at = above.get(0);
            }
        }

        private @Nullable Descriptor descend(Deque<byte[]> names) throws IOException {
            Descriptor at = Descriptor.of(step(root, new byte[] {'.', 0}), "opening the root");
            while (!names.isEmpty()) {
                long next = step(at, nextPath(names));
                at.close();
                if (Errno.ENOENT.is(next) || Errno.ENOTDIR.is(next) || Errno.ELOOP.is(next) || Errno.EXDEV.is(next)) {
                    return null;
                }
                at = Descriptor.of(next, "following the index");
            }
            return at;
        }

        private static byte[] nextPath(Deque<byte[]> names) {
            ByteArrayOutputStream path = new ByteArrayOutputStream();
            byte[] name = names.peekFirst();
            while (name != null && (path.size() == 0 || path.size() + 1 + name.length <= PATH_LIMIT)) {
                if (path.size() > 0) {
                    path.write('/');
                }
                path.writeBytes(name);
                names.removeFirst();
                name = names.peekFirst();
            }
            path.write(0);
            return path.toByteArray();
        }

        private static long step(Descriptor from, byte[] path) {
            return SystemCalls.locate(from.number(), path);
        }

        @Override
        public void seen(FileId file, FileId directory, FileName name) {
            search.found(file);
            locations.add(file, new Locations.Location(directory, name));
        }

        @Override
        public void lost(FileId file, FileId directory, FileName name) {
            locations.remove(file, new Locations.Location(directory, name));
        }

        @Override
        public void removed(FileId file) {
            search.gone(file);
        }

        @Override
        public void moved(FileId directory) {
            search.moved(directory);
        }

        @Override
        public <T> T whileNothingMoves(FileOperation<T> action) throws IOException {
            moves.readLock().lock();
            try {
                return action.run();
            } finally {
                moves.readLock().unlock();
            }
        }

        @Override
        public <T> T moving(FileOperation<T> action) throws IOException {
            moves.writeLock().lock();
            try {
                return action.run();
            } finally {
                moves.writeLock().unlock();
            }
        }

        @Override
        public void close() throws IOException {
            search.close();
        }
    }
}
