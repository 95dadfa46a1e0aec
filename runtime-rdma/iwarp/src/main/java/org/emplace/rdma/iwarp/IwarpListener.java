// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.iwarp.tcp.EventLoop;

/** A listening socket; hands on every TCP connection that it accepts. */
final class IwarpListener implements RdmaListener, EventLoop.Attachment {
    private static final System.Logger LOG = System.getLogger(IwarpListener.class.getName());

    /** Connections accepted in one turn. */
    private static final int TURNS = 64;
    /** How long to stop when the system has no descriptors left, say. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final EventLoop loop;
    private final ServerSocketChannel channel;
    private final InetSocketAddress localAddress;
    private final Consumer<SocketChannel> accepted;
    private final Runnable closing;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param channel bound, non-blocking
     * @param closing run once, at the end
     */
    IwarpListener(EventLoop loop, ServerSocketChannel channel, Consumer<SocketChannel> accepted, Runnable closing)
            throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.accepted = accepted;
        this.closing = closing;
        localAddress = (InetSocketAddress) channel.getLocalAddress();
    }

    void begin() {
        loop.execute(() -> {
            try {
                loop.register(channel, SelectionKey.OP_ACCEPT, this);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, localAddress + ": closed before it listened", e);
            }
        });
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            for (int turn = 0; turn < TURNS; turn++) {
                SocketChannel connection = channel.accept();
                if (connection == null) {
                    return;
                }
                accepted.accept(connection);
            }
        } catch (IOException e) {
            if (channel.isOpen()) {
                LOG.log(Level.WARNING, localAddress + ": cannot accept, trying again soon", e);
                key.interestOps(0);
                loop.schedule(PAUSE, () -> {
                    if (key.isValid()) {
                        key.interestOps(SelectionKey.OP_ACCEPT);
                    }
                });
            }
        }
    }

    @Override
    public void shutDown() {
        close();
    }

    @Override
    public void close() {
        EventLoop.closeQuietly(channel);
        loop.execute(() -> {});
        if (closed.compareAndSet(false, true)) {
            closing.run();
        }
    }
}
