// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.Committed;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.ReadableFile;
import org.emplace.samples.nfs.server.store.Stability;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StripedLocks;
import org.emplace.samples.nfs.server.store.WeakCacheAttributes;
import org.emplace.samples.nfs.server.store.WriteVerifier;
import org.emplace.samples.nfs.server.store.Written;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;
import org.emplace.xdr.Payload;

/** Reading and writing what files hold, through channels that are opened while names stand still and used while they may change. Safe for use by several threads. */
final class FileContents {
    private static final int ZEROS = 1 << 16;
    private static final long LARGEST_GAP = 256L << 20;

    private final NodeTree tree;
    private final OpenChannels openFiles;
    private final Abilities abilities;
    private final long largestFile;
    private final StripedLocks writers = new StripedLocks();
    private final WriteVerifier verifier = new WriteVerifier();

    FileContents(NodeTree tree, OpenChannels openFiles, Abilities abilities, long largestFile) {
        this.tree = tree;
        this.openFiles = openFiles;
        this.abilities = abilities;
        this.largestFile = largestFile;
    }

    /** Held by whoever changes a file's content or attributes, maybe for long. So it is taken before the names, never while they are held. */
    Object writersOf(Node file) {
        return writers.of(file.number);
    }

    ReadableFile read(FileId id) throws IOException {
        return tree.shared(() -> {
            Located file = tree.resolve(id).requireRegular();
            return new OpenReading(file, openFiles.use(file, StandardOpenOption.READ));
        });
    }

    private final class OpenReading implements ReadableFile {
        private final Located file;
        private final OpenChannels.Use use;

        OpenReading(Located file, OpenChannels.Use use) {
            this.file = file;
            this.use = use;
        }

        @Override
        public int read(ByteBuffer destination, long offset) throws IOException {
            return ErrorMapping.translated(() -> use.read(destination, offset));
        }

        @Override
        public Optional<FileChannel> channel() {
            return abilities.local() ? Optional.of(use.channel()) : Optional.empty();
        }

        /** As they were when the file was opened, if it has lost its name since. */
        @Override
        public FileAttributes attributes() throws IOException {
            return ErrorMapping.translated(() -> tree.now(file).orElse(file.attributes()));
        }

        @Override
        public void close() {
            use.close();
        }
    }

    /** What is to be written to, and the file as it was found. */
    private record Writable(Located file, OpenChannels.Use use) implements AutoCloseable {
        @Override
        public void close() {
            use.close();
        }
    }

    private Writable writable(FileId id) throws IOException {
        return tree.shared(() -> {
            Located file = tree.resolve(id).requireRegular();
            return new Writable(file, openFiles.use(file, StandardOpenOption.WRITE));
        });
    }

    Written write(FileId id, long offset, Payload data, Stability stability) throws IOException {
        if (offset > largestFile - data.length()) {
            tree.shared(() -> tree.resolve(id).requireRegular());
            throw new StoreException(Failure.FBIG, "a write beyond the largest offset");
        }
        ByteBuffer bytes = fetched(data);
        try (Writable writable = writable(id)) {
            FileChannel channel = writable.use().channel();
            Located file = writable.file();
            Optional<FileAttributes> before;
            Optional<FileAttributes> after;
            int count;
            // Before the data is written: if it is lost from then on, the client sees another one.
            long verifierBefore = verifier.value();
            synchronized (writersOf(file.node())) {
                before = tree.now(file);
                count = bytes.hasRemaining() ? writeAll(channel, offset, bytes) : 0;
                after = tree.now(file);
            }
            if (stability != Stability.UNSTABLE) {
                force(channel, stability == Stability.FILE_SYNC);
            }
            return new Written(count, stability, verifierBefore, new WeakCacheAttributes(before, after));
        }
    }

    /** Nothing is wrong with the file if its data could not be had from the client, so the client is to try again. */
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

    /** Makes a file at least so long. A local file gets a hole; other file systems may leave in a gap what was once there, so it is written. */
    private void fill(FileChannel channel, long size) throws IOException {
        long end = channel.size();
        if (abilities.local() || end >= size) {
            return;
        }
        if (size - end > LARGEST_GAP) {
            throw new StoreException(
                    Failure.FBIG, "a gap of " + (size - end) + " bytes, which would have to be written");
        }
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(ZEROS, size - end));
        while (end < size) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), size - end));
            end += channel.write(zeros, end);
        }
    }

    /** Gives a file another length; what is added reads as zeros. The caller holds {@link #writersOf} the file, and not the names. */
    void resize(FileId id, long size) throws IOException {
        if (size < 0 || size > largestFile) {
            throw new StoreException(Failure.FBIG, "a size beyond the largest offset");
        }
        try (Writable writable = writable(id)) {
            FileChannel channel = writable.use().channel();
            if (size <= channel.size()) {
                channel.truncate(size);
            } else if (abilities.local()) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            } else {
                fill(channel, size);
            }
        }
    }

    Committed commit(FileId id) throws IOException {
        try (Writable writable = writable(id)) {
            Located file = writable.file();
            force(writable.use().channel(), false);
            return new Committed(
                    verifier.value(), new WeakCacheAttributes(Optional.of(file.attributes()), tree.now(file)));
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
