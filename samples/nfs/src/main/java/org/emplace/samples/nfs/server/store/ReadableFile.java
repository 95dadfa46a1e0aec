// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** A regular file that is open for reading. Used by one call, which closes it. */
public interface ReadableFile extends AutoCloseable {

    /**
     * Reads bytes at an offset until the buffer is full or the file ends.
     *
     * @param offset not negative
     * @return bytes read; fewer than the buffer has room for only at the end of the file
     */
    int read(ByteBuffer destination, long offset) throws IOException;

    /** The file's bytes, where the store has them in a file of this machine; the channel's own position is nobody's to use or move. */
    Optional<FileChannel> channel();

    /** The file's attributes, as they were at some time since it was opened. */
    FileAttributes attributes() throws IOException;

    @Override
    void close() throws IOException;
}
