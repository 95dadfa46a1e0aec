// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.emplace.reactor.LogSampler;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;
import org.emplace.samples.nfs.server.store.StripedLocks;

/** Files that are being written. HDFS gives this store the lease of each, so that nobody else writes to it. Safe for use by several threads. */
final class Writers implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Writers.class.getName());
    private static final int BUFFER = 1 << 16;

    private final DistributedFileSystem files;
    private final Readers<Long> readers;
    private final HadoopOptions options;
    private final Spill.Room room;
    private final OpenFiles<Long, AppendedFile> open;
    private final StripedLocks opening = new StripedLocks();
    private final AtomicLong closings = new AtomicLong();
    private final WriteVerifier verifier = new WriteVerifier();
    private final LogSampler closeFailures = new LogSampler();
    private final LogSampler recoveryFailures = new LogSampler();

    /** Files whose lease this store may still have, because their streams failed. */
    private final Set<Long> broken = ConcurrentHashMap.newKeySet();

    Writers(DistributedFileSystem files, Readers<Long> readers, HadoopOptions options) {
        this.files = files;
        this.readers = readers;
        this.options = options;
        this.room = new Spill.Room(options.spillDirectory(), options.spillRoom());
        this.open = new OpenFiles<>(options.openFiles(), options.idle(), e -> {
            warn(closeFailures, "closing a file failed; what was written may be lost", e);
            verifier.dataLost();
        });
    }

    private static void warn(LogSampler failures, String what, IOException failure) {
        failures.event(count -> LOG.log(
                Level.WARNING,
                what + ": " + HdfsFailures.firstLine(failure) + "; failures like this so far: " + count));
    }

    WriteVerifier verifier() {
        return verifier;
    }

    /**
     * Returns a file to write to, and opens it if necessary.
     *
     * @param peer whom the open file counts for
     * @param finder finds the file's attributes
     */
    OpenFiles<Long, AppendedFile>.Use use(Object peer, long inode, FileOperation<FileAttributes> finder)
            throws IOException {
        Optional<OpenFiles<Long, AppendedFile>.Use> writing = open.useIfOpen(inode);
        if (writing.isPresent()) {
            return writing.get();
        }
        synchronized (opening.of(inode)) {
            return open.use(peer, inode, () -> open(inode, finder.run()));
        }
    }

    /** A file that is being written, if it is. */
    Optional<OpenFiles<Long, AppendedFile>.Use> useIfOpen(long inode) {
        return open.useIfOpen(inode);
    }

    /** The attributes of a file, updated by what has been written to it but is not yet known to the name node. */
    FileAttributes asWritten(long inode, FileAttributes known) {
        if (known.isDirectory()) {
            return known;
        }
        Optional<OpenFiles<Long, AppendedFile>.Use> writing = open.useIfOpen(inode);
        if (writing.isEmpty()) {
            return known;
        }
        try (OpenFiles<Long, AppendedFile>.Use use = writing.get()) {
            return use.file().asWritten(known);
        }
    }

    /** The number of files closed so far. Attributes from before the last closing may lack written data. */
    long closings() {
        return closings.get();
    }

    private AppendedFile open(long inode, FileAttributes found) throws IOException {
        FSDataOutputStream stream;
        try {
            // Each block is synced to disk when it is full, because hsync applies only to the last one.
            stream = files.append(
                    HdfsTree.hadoopPath(inode), EnumSet.of(CreateFlag.APPEND, CreateFlag.SYNC_BLOCK), BUFFER, null);
        } catch (IOException e) {
            if (HdfsFailures.isBeingWritten(e) && broken.contains(inode)) {
                recover(inode);
            }
            throw e;
        }
        broken.remove(inode);
        if (stream instanceof HdfsDataOutputStream appending) {
            return new AppendedFile(appending, found, new InHdfs(inode), room, options);
        }
        stream.close();
        throw new UnsupportedOperationException("appending by " + stream.getClass());
    }

    /** Recovers the lease of the failed stream. Never called for a file that another client may be writing. */
    private void recover(long inode) {
        try {
            files.recoverLease(HdfsTree.hadoopPath(inode));
        } catch (IOException e) {
            warn(recoveryFailures, "cannot recover the lease of inode " + inode, e);
        }
    }

    private final class InHdfs implements AppendedFile.Backing {
        private final long inode;

        InHdfs(long inode) {
            this.inode = inode;
        }

        @Override
        public void read(FileTime version, ByteBuffer destination, long offset) throws IOException {
            readers.read(this, inode, version, offset + destination.remaining(), destination, offset);
            if (destination.hasRemaining()) {
                throw new EOFException("HDFS does not return what was written to inode " + inode);
            }
        }

        @Override
        public void broken() {
            verifier.dataLost();
            broken.add(inode);
            recover(inode);
        }

        @Override
        public void closed(FileTime modified) throws IOException {
            try {
                files.setTimes(HdfsTree.hadoopPath(inode), modified.toMillis(), -1);
            } finally {
                closings.incrementAndGet();
            }
        }
    }

    /** Whether the file is open, or being closed. */
    boolean isOpen(long inode) {
        return open.isOpen(inode);
    }

    /** Closes the file, now or when it is not in use any more. Returns when nobody is closing it. */
    void finish(long inode) {
        open.forget(inode);
        open.useIfOpen(inode).ifPresent(OpenFiles.Use::close);
    }

    @Override
    public void close() {
        open.close();
    }
}
