// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.emplace.reactor.LogSampler;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.Store.CommitResult;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StripedLocks;
import org.emplace.samples.nfs.server.store.nio.NioStore.Abilities;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;
import org.emplace.xdr.Payload;

/**
 * Reads and writes the contents of files through channels. It opens them while names cannot change, and uses them while names may. Safe for use by
 * several threads.
 */
final class FileContents implements AutoCloseable {
    private static final Logger LOG = System.getLogger(FileContents.class.getName());
    private static final int ZEROS = 1 << 16;
    private static final long LARGEST_GAP = 256L << 20;

    private final NodeTree tree;
    private final OpenFiles<Slot, FileChannel> open;
    private final Abilities abilities;
    private final long largestFile;
    private final StripedLocks writers = new StripedLocks();
    private final WriteVerifier verifier = new WriteVerifier();
    private final LogSampler closeFailures = new LogSampler();

    FileContents(NodeTree tree, Abilities abilities, NioOptions options) {
        this.tree = tree;
        this.abilities = abilities;
        this.largestFile = options.largestFile();
        this.open = new OpenFiles<>(options.openFiles(), options.idle(), this::closingFailed);
    }

    /** Some file systems store what was written only then. */
    private void closingFailed(IOException failure) {
        verifier.dataLost();
        closeFailures.event(count -> LOG.log(
                Level.WARNING,
                "closing a file failed; what was written may be lost: " + failure + "; failures so far: " + count));
    }

    /** A file is open either for reading or for writing, because it may permit only one of them. */
    private record Slot(Node file, StandardOpenOption access) {}

    /** The file; opens it if necessary. */
    private OpenFiles<Slot, FileChannel>.Use use(Located file, StandardOpenOption access) throws IOException {
        Slot slot = new Slot(file.node(), access);
        FileOperation<FileChannel> opener = () -> FileChannel.open(file.path(), abilities.opening(access));
        try {
            return open.use(file.peer(), slot, opener);
        } catch (IOException e) {
            if (ErrorMapping.failureOf(e) != Failure.JUKEBOX) {
                throw e;
            }
            open.closeUnused();
            return open.use(file.peer(), slot, opener);
        }
    }

    /** Adds a file that was opened by creating it: its mode may not permit opening it again. */
    void adopt(Located file, FileChannel writable) {
        open.adopt(file.peer(), new Slot(file.node(), StandardOpenOption.WRITE), writable);
    }

    /** Closes the file, now or when it is no longer in use. Some file systems do not remove open files. */
    void forget(Node file) {
        open.forget(new Slot(file, StandardOpenOption.READ));
        open.forget(new Slot(file, StandardOpenOption.WRITE));
    }

    @Override
    public void close() {
        open.close();
    }

    /**
     * The monitor of a thread that changes a file's contents or attributes, perhaps for long. Enter it before taking the lock of the names, never
     * while holding that.
     */
    Object writersOf(Node file) {
        return writers.of(file.number);
    }

    ReadableFile read(Object peer, FileId id) throws IOException {
        return tree.shared(() -> {
            Located file = tree.resolve(peer, id).requireRegular();
            return new OpenReading(file, use(file, StandardOpenOption.READ));
        });
    }

    /** Reads until the buffer is full or the file ends. */
    private static int readFully(FileChannel channel, ByteBuffer destination, long offset) throws IOException {
        int start = destination.position();
        int count = offset > Long.MAX_VALUE - destination.remaining() ? -1 : 0;
        while (destination.hasRemaining() && count >= 0) {
            count = channel.read(destination, offset + destination.position() - start);
        }
        return destination.position() - start;
    }

    private final class OpenReading implements ReadableFile {
        private final Located file;
        private final OpenFiles<Slot, FileChannel>.Use use;

        OpenReading(Located file, OpenFiles<Slot, FileChannel>.Use use) {
            this.file = file;
            this.use = use;
        }

        @Override
        public int read(ByteBuffer destination, long offset) throws IOException {
            return ErrorMapping.translated(() -> readFully(use.file(), destination, offset));
        }

        @Override
        public Optional<FileChannel> channel() {
            return abilities.local() ? Optional.of(use.file()) : Optional.empty();
        }

        /** The attributes. If the file has lost its name, those from when it was opened. */
        @Override
        public FileAttributes attributes() throws IOException {
            return ErrorMapping.translated(() -> tree.now(file).orElse(file.attributes()));
        }

        @Override
        public void close() {
            use.close();
        }
    }

    /** The channel to write to, and the file in its state before. */
    private record Writable(Located file, OpenFiles<Slot, FileChannel>.Use use) implements AutoCloseable {
        @Override
        public void close() {
            use.close();
        }
    }

    /** @param changing whether the contents are about to change */
    private Writable writable(Object peer, FileId id, boolean changing) throws IOException {
        return tree.shared(() -> {
            Located file = tree.resolve(peer, id).requireRegular();
            if (changing) {
                tree.dropSetId(file);
            }
            return new Writable(file, use(file, StandardOpenOption.WRITE));
        });
    }

    WriteResult write(Object peer, FileId id, long offset, Payload data, Stability stability) throws IOException {
        if (offset > largestFile - data.length()) {
            tree.shared(() -> tree.resolve(id).requireRegular());
            throw new StoreException(Failure.FBIG, "a write beyond the largest offset");
        }
        ByteBuffer bytes = fetched(data);
        try (Writable writable = writable(peer, id, true)) {
            FileChannel channel = writable.use().file();
            Located file = writable.file();
            Optional<FileAttributes> before;
            Optional<FileAttributes> after;
            int count;
            // Read before the data is written: if the data is lost later, the client sees another verifier.
            long verifierBefore = verifier.value();
            synchronized (writersOf(file.node())) {
                before = tree.now(file);
                count = bytes.hasRemaining() ? writeAll(channel, offset, bytes) : 0;
                after = tree.now(file);
            }
            if (stability != Stability.UNSTABLE) {
                force(channel, stability == Stability.FILE_SYNC);
            }
            return new WriteResult(count, stability, verifierBefore, new WeakCacheConsistency(before, after));
        }
    }

    /** Fetches the data. If that fails, the file is not at fault, and the client should try again. */
    private static ByteBuffer fetched(Payload data) throws StoreException {
        try {
            return data.buffer();
        } catch (IOException e) {
            throw new StoreException(Failure.JUKEBOX, "the data of a write could not be fetched: " + e.getMessage());
        }
    }

    private int writeAll(FileChannel channel, long offset, ByteBuffer data) throws IOException {
        fill(channel, offset);
        int start = data.position();
        try {
            while (data.hasRemaining()) {
                channel.write(data, offset + data.position() - start);
            }
        } catch (IOException e) {
            if (data.position() == start) {
                throw e;
            }
        }
        return data.position() - start;
    }

    /** Extends a file to a length. A local file gets a hole. Other file systems may leave old data in a gap, so zeros are written. */
    private void fill(FileChannel channel, long size) throws IOException {
        long end = channel.size();
        if (abilities.local() || end >= size) {
            return;
        }
        if (size - end > LARGEST_GAP) {
            throw new StoreException(
                    Failure.FBIG, "a gap of " + (size - end) + " bytes is too large to fill with zeros");
        }
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(ZEROS, size - end));
        while (end < size) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), size - end));
            end += channel.write(zeros, end);
        }
    }

    /**
     * Sets the length of a file. Added bytes are zeros. The caller is in the monitor of {@link #writersOf} the file, and does not hold the lock of
     * the names.
     */
    void resize(Object peer, FileId id, long size) throws IOException {
        if (size < 0 || size > largestFile) {
            throw new StoreException(Failure.FBIG, "a size beyond the largest offset");
        }
        try (Writable writable = writable(peer, id, true)) {
            FileChannel channel = writable.use().file();
            if (size <= channel.size()) {
                channel.truncate(size);
            } else if (abilities.local()) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            } else {
                fill(channel, size);
            }
        }
    }

    CommitResult commit(Object peer, FileId id) throws IOException {
        try (Writable writable = writable(peer, id, false)) {
            Located file = writable.file();
            force(writable.use().file(), false);
            return new CommitResult(
                    verifier.value(), new WeakCacheConsistency(Optional.of(file.attributes()), tree.now(file)));
        }
    }

    private void force(FileChannel channel, boolean metadata) throws IOException {
        try {
            channel.force(metadata);
        } catch (IOException e) {
            verifier.dataLost();
            throw e;
        }
    }
}
