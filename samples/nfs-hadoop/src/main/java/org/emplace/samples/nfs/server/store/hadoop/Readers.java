// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.emplace.samples.nfs.server.store.OpenFiles;

/** Files that are open for reading. A stream of HDFS knows the file as it was when it was opened. Safe for use by several threads. */
final class Readers implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Readers.class.getName());

    private final DistributedFileSystem files;
    private final OpenFiles<Long, OpenFile> open;

    Readers(DistributedFileSystem files, HadoopOptions options) {
        this.files = files;
        this.open = new OpenFiles<>(
                options.openFiles(), options.idle(), e -> LOG.log(Level.DEBUG, "closing a file failed: " + e));
    }

    private static final class OpenFile implements Channel {
        private final FSDataInputStream stream;
        private final FileTime version;
        private final long length;
        private volatile boolean open = true;

        OpenFile(FSDataInputStream stream, FileTime version) throws IOException {
            this.stream = stream;
            this.version = version;
            this.length = stream instanceof HdfsDataInputStream hdfs ? hdfs.getVisibleLength() : stream.available();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() throws IOException {
            open = false;
            stream.close();
        }
    }

    /**
     * Reads until the buffer is full or the file ends.
     *
     * @param version a time that changes with the content of a file that is not only appended to
     * @param length how long the file is at least
     */
    void read(long inode, FileTime version, long length, ByteBuffer destination, long offset) throws IOException {
        try (OpenFiles<Long, OpenFile>.Use use = use(inode, version, length)) {
            long position = offset;
            while (destination.hasRemaining()) {
                int count = use.file().stream.read(position, destination);
                if (count < 0) {
                    return;
                }
                position += count;
            }
        }
    }

    private OpenFiles<Long, OpenFile>.Use use(long inode, FileTime version, long length) throws IOException {
        OpenFiles.Opener<OpenFile> opener = () -> new OpenFile(files.open(HdfsTree.hadoopPath(inode)), version);
        OpenFiles<Long, OpenFile>.Use use = open.use(inode, opener);
        OpenFile found = use.file();
        if (found.version.equals(version) && found.length >= length) {
            return use;
        }
        use.close();
        open.forget(inode);
        return open.use(inode, opener);
    }

    /** Closes the file, now or when it is not in use any more. */
    void forget(long inode) {
        open.forget(inode);
    }

    @Override
    public void close() {
        open.close();
    }
}
