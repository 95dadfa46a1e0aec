// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.emplace.samples.nfs.server.store.hadoop.HdfsFailures.translated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.Store.CommitResult;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;
import org.emplace.xdr.Payload;

/** Reads and writes the contents of files. Safe for use by several threads. */
record HdfsContents(DFSClient client, HdfsTree tree, Readers<Long> readers, Writers writers, long largestFile) {
    private static final Duration LONGEST_TRUNCATION = Duration.ofSeconds(20);
    private static final Duration TRUNCATION_CHECKS = Duration.ofMillis(20);

    ReadableFile read(Object peer, FileId id) throws IOException {
        return new Reading(peer, tree.recent(id).requireRegular());
    }

    private final class Reading implements ReadableFile {
        private final Object peer;
        private Located file;

        Reading(Object peer, Located file) {
            this.peer = peer;
            this.file = file;
        }

        @Override
        public int read(ByteBuffer destination, long offset) throws IOException {
            return translated(() -> {
                int start = destination.position();
                if (!readWritten(destination, offset)) {
                    int before = destination.position() - start;
                    readStored(destination, offset + before);
                }
                return destination.position() - start;
            });
        }

        /** Reads from a file that is being written. Returns false if the file is not being written. */
        private boolean readWritten(ByteBuffer destination, long offset) throws IOException {
            Optional<OpenFiles<Long, AppendedFile>.Use> writing = writers.useIfOpen(file.inode());
            if (writing.isEmpty()) {
                return false;
            }
            try (OpenFiles<Long, AppendedFile>.Use use = writing.get()) {
                use.file().read(destination, offset);
                return true;
            } catch (ClosedChannelException e) {
                file = tree.locate(file.inode());
                return false;
            }
        }

        private void readStored(ByteBuffer destination, long offset) throws IOException {
            FileAttributes known = file.attributes();
            if (offset < known.size() && destination.hasRemaining()) {
                readers.read(peer, file.inode(), known.modified(), known.size(), destination, offset);
            }
        }

        @Override
        public Optional<FileChannel> channel() {
            return Optional.empty();
        }

        /**
         * The attributes from when the file was opened, updated by what this store has written since. Another request to the name node for each piece
         * would take long.
         */
        @Override
        public FileAttributes attributes() {
            Optional<OpenFiles<Long, AppendedFile>.Use> writing = writers.useIfOpen(file.inode());
            if (writing.isEmpty()) {
                return file.attributes();
            }
            try (OpenFiles<Long, AppendedFile>.Use use = writing.get()) {
                return use.file().now();
            }
        }

        @Override
        public void close() {}
    }

    private OpenFiles<Long, AppendedFile>.Use writing(Object peer, long inode) throws IOException {
        return writers.use(
                peer, inode, () -> tree.locate(inode).requireRegular().attributes());
    }

    WriteResult write(Object peer, FileId id, long offset, Payload data, Stability stability) throws IOException {
        long inode = HdfsTree.inode(id);
        if (offset > largestFile - data.length()) {
            tree.resolve(id).requireRegular();
            throw new StoreException(Failure.FBIG, "a write beyond the largest file that HDFS can have");
        }
        // Read before the data is written: if the data is lost later, the client sees another verifier.
        long verifier = writers.verifier().value();
        try (OpenFiles<Long, AppendedFile>.Use use = writing(peer, inode)) {
            WeakCacheConsistency change = use.file().write(peer, offset, data);
            if (stability == Stability.UNSTABLE) {
                return new WriteResult((int) data.length(), stability, verifier, change);
            }
            use.file().sync();
            return new WriteResult((int) data.length(), Stability.FILE_SYNC, verifier, change);
        } catch (ClosedChannelException e) {
            throw closedMeanwhile();
        }
    }

    private static StoreException closedMeanwhile() {
        return new StoreException(Failure.JUKEBOX, "the stream into the file broke or was closed by another call");
    }

    CommitResult commit(FileId id) throws IOException {
        long inode = HdfsTree.inode(id);
        Optional<OpenFiles<Long, AppendedFile>.Use> writing = writers.useIfOpen(inode);
        if (writing.isEmpty()) {
            // Closed files are on stable storage.
            Optional<FileAttributes> now =
                    Optional.of(tree.locate(inode).requireRegular().attributes());
            return new CommitResult(writers.verifier().value(), new WeakCacheConsistency(now, now));
        }
        try (OpenFiles<Long, AppendedFile>.Use use = writing.get()) {
            FileAttributes before = use.file().now();
            use.file().sync();
            return new CommitResult(
                    writers.verifier().value(),
                    new WeakCacheConsistency(
                            Optional.of(before), Optional.of(use.file().now())));
        } catch (ClosedChannelException e) {
            throw closedMeanwhile();
        }
    }

    /** Sets the length of a file. Added bytes are zeros. */
    void resize(Object peer, Located file, long size) throws IOException {
        file.requireRegular();
        if (size < 0 || size > largestFile) {
            throw new StoreException(Failure.FBIG, "a size beyond the largest file that HDFS can have");
        }
        if (size > file.attributes().size()) {
            extend(peer, file, size);
        } else if (size < file.attributes().size()) {
            truncate(file, size);
        }
    }

    private void extend(Object peer, Located file, long size) throws IOException {
        try (OpenFiles<Long, AppendedFile>.Use use = writing(peer, file.inode())) {
            use.file().extend(size);
            use.file().sync();
        } catch (ClosedChannelException e) {
            throw closedMeanwhile();
        }
    }

    private void truncate(Located file, long size) throws IOException {
        forget(file.inode());
        if (!client.truncate(file.path(), size)) {
            awaitTruncation(file);
        }
        readers.forget(file.inode());
    }

    /** Waits until the data nodes have truncated the last block, because the file cannot be written until then. */
    private void awaitTruncation(Located file) throws IOException {
        long begin = System.nanoTime();
        while (!client.isFileClosed(file.path())) {
            if (System.nanoTime() - begin > LONGEST_TRUNCATION.toNanos()) {
                throw new StoreException(Failure.JUKEBOX, "HDFS is still truncating the last block");
            }
            try {
                Thread.sleep(TRUNCATION_CHECKS.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(Failure.JUKEBOX, "interrupted while HDFS truncates the last block");
            }
        }
    }

    /** Closes a file that is being written. */
    void finish(long inode) {
        writers.finish(inode);
    }

    /** Whether a file is being written. */
    boolean isWritten(long inode) {
        return writers.isOpen(inode);
    }

    /** Closes a file that is about to be removed. */
    void forget(long inode) {
        writers.finish(inode);
        readers.forget(inode);
    }
}
