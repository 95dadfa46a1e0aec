// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Accepts the connections of a listening socket and hands them on. If accepting fails because of a lack of descriptors or memory, pauses:
 * the socket stays ready, and the loop would fail again at once.
 */
public final class Acceptor implements EventLoop.Attachment {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());

    private static final int CONNECTIONS_A_TURN = 64;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final EventLoop loop;
    private final ServerSocketChannel channel;
    private final InetSocketAddress localAddress;
    private final Consumer<SocketChannel> accepted;
    private final Runnable ended;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whether the last attempt failed. On the loop. */
    private boolean failing;

    /**
     * An acceptor that does not accept yet.
     *
     * @param channel bound, non-blocking
     * @param accepted takes over each connection; if it throws, the connection is closed
     * @param ended run once, when nothing is accepted any more
     */
    public Acceptor(EventLoop loop, ServerSocketChannel channel, Consumer<SocketChannel> accepted, Runnable ended)
            throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.accepted = accepted;
        this.ended = ended;
        localAddress = (InetSocketAddress) channel.getLocalAddress();
    }

    /** The address at which it listens, with the actual port. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Begins to accept. */
    public void start() {
        loop.execute(() -> {
            try {
                loop.register(channel, SelectionKey.OP_ACCEPT, this);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, localAddress + ": closed before it listened", e);
            }
        });
    }

    @Override
    public void ready(SelectionKey key) {
        SocketChannel connection = null;
        try {
            for (int i = 0; i < CONNECTIONS_A_TURN; i++) {
                connection = channel.accept();
                if (connection == null) {
                    return;
                }
                accepted.accept(connection);
                connection = null;
                failing = false;
            }
        } catch (Throwable trouble) {
            // Even an OutOfMemoryError, so that later clients can connect.
            EventLoop.closeQuietly(connection);
            pause(key, trouble);
        }
    }

    private void pause(SelectionKey key, Throwable trouble) {
        if (!channel.isOpen()) {
            return;
        }
        LOG.log(failing ? Level.DEBUG : Level.WARNING, localAddress + ": cannot accept connections for now", trouble);
        failing = true;
        loop.watch(key, 0);
        loop.schedule(PAUSE, () -> loop.watch(key, SelectionKey.OP_ACCEPT));
    }

    @Override
    public void failed(Throwable cause) {
        LOG.log(Level.ERROR, localAddress + ": listening failed", cause);
        close();
    }

    @Override
    public void shutDown() {
        close();
    }

    /** Stops accepting. Idempotent. */
    public void close() {
        loop.close(channel);
        if (closed.compareAndSet(false, true)) {
            ended.run();
        }
    }

    /** Waits, not for long, until another may listen at the address of a closed one. */
    public void awaitRelease() {
        loop.awaitRelease();
    }
}
