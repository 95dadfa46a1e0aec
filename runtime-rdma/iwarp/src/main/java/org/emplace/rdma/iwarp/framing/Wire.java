// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The two socket calls that move bytes. A test can wrap them to see which buffers the system gets, and that payload is not copied. */
public interface Wire {

    /** As {@link SocketChannel#read(ByteBuffer[], int, int)} without blocking. */
    long read(ByteBuffer[] targets, int count) throws IOException;

    /** As {@link SocketChannel#write(ByteBuffer[], int, int)} without blocking. */
    long write(ByteBuffer[] sources, int offset, int count) throws IOException;

    /** The calls of a socket. */
    static Wire of(SocketChannel channel) {
        return new Wire() {
            @Override
            public long read(ByteBuffer[] targets, int count) throws IOException {
                return count == 1 ? channel.read(targets[0]) : channel.read(targets, 0, count);
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
                return count == 1 ? channel.write(sources[offset]) : channel.write(sources, offset, count);
            }
        };
    }
}
