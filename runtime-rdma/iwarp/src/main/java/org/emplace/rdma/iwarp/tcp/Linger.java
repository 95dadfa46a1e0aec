// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The end of a TCP connection after the last byte of this side: sends FIN, and drops what still arrives until the peer's FIN or for a
 * bounded time. To close at once would reset the connection, and the peer would lose what was sent last.
 */
public final class Linger implements EventLoop.Attachment {
    private final SocketChannel channel;
    private final ByteBuffer dropped = ByteBuffer.allocateDirect(4096);

    private Linger(SocketChannel channel) {
        this.channel = channel;
    }

    /** Ends the connection of a key; on its loop. */
    public static void begin(Endpoint endpoint, SelectionKey key) {
        Linger linger = new Linger(endpoint.channel());
        try {
            endpoint.channel().shutdownOutput();
            key.attach(linger);
            key.interestOps(SelectionKey.OP_READ);
            endpoint.loop().schedule(endpoint.drainTimeout(), linger::shutDown);
        } catch (IOException e) {
            linger.shutDown();
        }
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            if (channel.read(dropped.clear()) < 0) {
                shutDown();
            }
        } catch (IOException e) {
            shutDown();
        }
    }

    @Override
    public void shutDown() {
        EventLoop.closeQuietly(channel);
    }
}
