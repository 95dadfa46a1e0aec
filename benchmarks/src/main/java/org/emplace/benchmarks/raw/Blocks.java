// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One direction of a connection: blocks of one size, each followed by its CRC32C if requested. Not safe for use by several threads. */
final class Blocks {
    private final SocketChannel channel;
    private final List<ByteBuffer> buffers;
    private final ByteBuffer trailer = ByteBuffer.allocateDirect(Integer.BYTES);
    private final @Nullable CRC32C crc;
    private int next;

    /**
     * Creates a direction.
     *
     * @param buffers each of a block's size; used in rotation
     */
    Blocks(SocketChannel channel, List<ByteBuffer> buffers, boolean withCrc) {
        this.channel = channel;
        this.buffers = buffers;
        this.crc = withCrc ? new CRC32C() : null;
    }

    void send() throws IOException {
        ByteBuffer block = nextBuffer();
        trailer.clear();
        if (crc == null) {
            trailer.limit(0);
        } else {
            crc.reset();
            crc.update(block.duplicate());
            trailer.putInt((int) crc.getValue()).flip();
        }
        ByteBuffer[] both = {block, trailer};
        while (block.hasRemaining() || trailer.hasRemaining()) {
            channel.write(both);
        }
    }

    void receive() throws IOException {
        ByteBuffer block = nextBuffer();
        trailer.clear().limit(crc == null ? 0 : Integer.BYTES);
        ByteBuffer[] both = {block, trailer};
        if (crc != null) {
            crc.reset();
        }
        while (block.hasRemaining() || trailer.hasRemaining()) {
            int start = block.position();
            if (channel.read(both) < 0) {
                throw new EOFException("the connection ended within a block");
            }
            if (crc != null) {
                crc.update(block.slice(start, block.position() - start));
            }
        }
        if (crc != null && trailer.getInt(0) != (int) crc.getValue()) {
            throw new IOException("a block arrived damaged");
        }
    }

    private ByteBuffer nextBuffer() {
        ByteBuffer buffer = buffers.get(next).clear();
        next = (next + 1) % buffers.size();
        return buffer;
    }
}
