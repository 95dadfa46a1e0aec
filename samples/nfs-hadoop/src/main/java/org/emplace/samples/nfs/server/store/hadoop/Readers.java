// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.emplace.samples.nfs.server.store.OpenFiles;

/**
 * Files that are open for reading. A stream knows the file as it was when it was opened. Safe for use by several threads.
 *
 * @param <K> what tells files apart
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
     * @param version a time that changes with the content of a file that is not only appended to
     * @param length how long the file is at least
     */
    void read(K file, FileTime version, long length, ByteBuffer destination, long offset) throws IOException {
        try (OpenFiles<K, OpenFile>.Use use = use(file, version, length)) {
            use.file().cursors.read(destination, offset);
        }
    }

    private OpenFiles<K, OpenFile>.Use use(K file, FileTime version, long length) throws IOException {
        OpenFiles.Opener<OpenFile> opening = () -> new OpenFile(file, version, length);
        OpenFiles<K, OpenFile>.Use use = open.use(file, opening);
        OpenFile found = use.file();
        if (found.version.equals(version) && found.length >= length) {
            return use;
        }
        use.close();
        open.forget(file);
        return open.use(file, opening);
    }

    /** Closes the file, now or when it is not in use any more. */
    void forget(K file) {
        open.forget(file);
    }

    @Override
    public void close() {
        open.close();
    }
}
