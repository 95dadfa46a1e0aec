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

    /** A channel of the file, if the store has its bytes in a file of this machine. Do not use or change the channel's own position. */
    Optional<FileChannel> channel();

    /** The file's attributes at some moment since it was opened. */
    FileAttributes attributes() throws IOException;

    @Override
    void close() throws IOException;
}
