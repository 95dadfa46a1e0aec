// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/**
 * Closes a TCP connection after this side's last byte without losing it: sends FIN, and discards incoming bytes until the peer's FIN, up to a
 * limit of time and bytes. Closing at once would reset the connection while bytes arrive, and the peer could lose the bytes sent last. A peer
 * that exceeds the limit of bytes is not reading.
 */
public final class Linger implements EventLoop.Attachment {
    /** More than can be in flight before the peer notices the end: the largest window that Linux gives a connection by default is 6 MiB. */
    private static final long BYTE_LIMIT = 16 << 20;

    private final EventLoop loop;
    private final SocketChannel channel;
    private long dropped;
    private Timers.@Nullable Timer timer;

    private Linger(EventLoop loop, SocketChannel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /** Ends the connection of a key; on its loop. */
    public static void begin(Endpoint endpoint, SelectionKey key) {
        Linger linger = new Linger(endpoint.loop(), endpoint.channel());
        try {
            endpoint.channel().shutdownOutput();
            key.attach(linger);
            endpoint.loop().watch(key, SelectionKey.OP_READ);
            linger.timer = endpoint.loop().schedule(endpoint.drainTimeout(), linger.step(linger::shutDown));
        } catch (IOException | RuntimeException | Error e) {
            linger.shutDown();
        }
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            int count = channel.read(loop.scratch());
            dropped += count;
            if (count < 0 || dropped > BYTE_LIMIT) {
                shutDown();
            }
        } catch (IOException e) {
            shutDown();
        }
    }

    @Override
    public void failed(Throwable cause) {
        shutDown();
    }

    @Override
    public void shutDown() {
        if (timer != null) {
            timer.cancel();
        }
        loop.close(channel);
    }
}
