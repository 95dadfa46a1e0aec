// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.StripedLocks;

/**
 * Files that are open for reading. A stream shows the file as it was when it was opened. Safe for use by several threads.
 *
 * @param <K> identifies a file
 */
final class Readers<K> implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Readers.class.getName());

    /** Opens a file. */
    @FunctionalInterface
    interface Opener<K> {
        FSDataInputStream open(K file) throws IOException;
    }

    private final Opener<K> opener;
    private final OpenFiles<K, OpenFile> open;
    private final StripedLocks opening = new StripedLocks();

    Readers(Opener<K> opener, HadoopOptions options) {
        this.opener = opener;
        this.open = new OpenFiles<>(
                options.openFiles(), options.idle(), e -> LOG.log(Level.DEBUG, "closing a file failed: " + e));
    }

    private final class OpenFile implements Channel {
        private final Cursors cursors;
        private final FileTime version;
        private final long length;
        private volatile boolean open = true;

        OpenFile(K file, FileTime version, long length) throws IOException {
            FSDataInputStream stream = opener.open(file);
            this.cursors = new Cursors(stream, () -> opener.open(file), Cursors.Waits.DEFAULT);
            this.version = version;
            this.length = stream instanceof HdfsDataInputStream hdfs ? hdfs.getVisibleLength() : length;
        }

        boolean shows(FileTime wanted, long atLeast) {
            return version.equals(wanted) && length >= atLeast;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() throws IOException {
            open = false;
            cursors.close();
        }
    }

    /**
     * Reads until the buffer is full or the file ends.
     *
     * @param peer whom the open file counts for
     * @param version a time that changes with the content, unless it is only appended to
     * @param length the least length of the file
     */
    void read(Object peer, K file, FileTime version, long length, ByteBuffer destination, long offset)
            throws IOException {
        try (OpenFiles<K, OpenFile>.Use use = use(peer, file, version, length)) {
            use.file().cursors.read(destination, offset);
        }
    }

    /** The file in its current state. If several threads need it, one of them opens it. */
    private OpenFiles<K, OpenFile>.Use use(Object peer, K file, FileTime version, long length) throws IOException {
        Optional<OpenFiles<K, OpenFile>.Use> known = useIfCurrent(file, version, length);
        if (known.isPresent()) {
            return known.get();
        }
        synchronized (opening.of(file)) {
            Optional<OpenFiles<K, OpenFile>.Use> openedMeanwhile = useIfCurrent(file, version, length);
            if (openedMeanwhile.isPresent()) {
                return openedMeanwhile.get();
            }
            open.forget(file);
            return open.use(peer, file, () -> new OpenFile(file, version, length));
        }
    }

    private Optional<OpenFiles<K, OpenFile>.Use> useIfCurrent(K file, FileTime version, long length) {
        Optional<OpenFiles<K, OpenFile>.Use> found = open.useIfOpen(file);
        if (found.isPresent() && !found.get().file().shows(version, length)) {
            found.get().close();
            return Optional.empty();
        }
        return found;
    }

    /** Closes the file, now or when it is no longer in use. */
    void forget(K file) {
        open.forget(file);
    }

    @Override
    public void close() {
        open.close();
    }
}
