// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;

/** A file that cannot be read beyond a position. */
class FailingSource implements SeekableByteChannel {
    private final FileChannel file;
    private final long failsAt;

    FailingSource(FileChannel file, long failsAt) {
        this.file = file;
        this.failsAt = failsAt;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (file.position() >= failsAt) {
            throw new IOException("the source fails");
        }
        return file.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return file.write(from);
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public SeekableByteChannel position(long to) throws IOException {
        file.position(to);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
