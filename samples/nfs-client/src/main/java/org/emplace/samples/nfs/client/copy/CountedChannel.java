// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import org.emplace.samples.nfs.client.copy.TreeCopy.CopyListener;

/** A channel that reports the bytes that pass through it to a listener. */
record CountedChannel(FileChannel file, CopyListener listener) implements SeekableByteChannel {

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = file.read(into);
        listener.moved(Math.max(0, read));
        return read;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int written = file.write(from);
        listener.moved(written);
        return written;
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
