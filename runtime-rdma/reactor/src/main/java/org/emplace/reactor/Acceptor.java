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
 * Accepts the connections of a listening socket and passes them on. If accepting fails for lack of descriptors or memory, it pauses, because the
 * socket stays ready and accepting would fail again at once.
 */
public final class Acceptor implements SocketHandler.Attachment {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());

    private static final int CONNECTIONS_A_TURN = 8;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final SocketHandler sockets;
    private final ServerSocketChannel channel;
    private final InetSocketAddress localAddress;
    private final Consumer<SocketChannel> accepted;
    private final Runnable ended;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** How many attempts have failed. On the loop. */
    private final LogSampler failures = new LogSampler();

    /**
     * Creates an acceptor; {@link #start} starts it.
     *
     * @param channel bound, non-blocking
     * @param accepted takes ownership of each connection; if it throws, the connection is closed
     * @param ended run once, when the acceptor has stopped
     */
    public Acceptor(
            SocketHandler sockets, ServerSocketChannel channel, Consumer<SocketChannel> accepted, Runnable ended)
            throws IOException {
        this.sockets = sockets;
        this.channel = channel;
        this.accepted = accepted;
        this.ended = ended;
        localAddress = (InetSocketAddress) channel.getLocalAddress();
    }

    /** The listening address, with the actual port. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Starts to accept. */
    public void start() {
        sockets.loop().execute(() -> {
            try {
                sockets.register(channel, SelectionKey.OP_ACCEPT, this);
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
            }
        } catch (Throwable trouble) {
            // Also after an OutOfMemoryError, so that later clients can connect.
            SocketHandler.closeQuietly(connection);
            try {
                pause(key, trouble);
            } catch (Throwable alsoTrouble) {
                // Without a pause the selector reports the socket again, at once or after it.
            }
        }
    }

    private void pause(SelectionKey key, Throwable trouble) {
        if (channel.isOpen()) {
            sockets.loop().schedule(PAUSE, () -> sockets.watch(key, SelectionKey.OP_ACCEPT));
            sockets.watch(key, 0);
            log(trouble);
        }
    }

    /** Logs in one line: peers can cause failures, for example by using up descriptors. */
    private void log(Throwable trouble) {
        failures.event(count -> LOG.log(
                Level.WARNING,
                "{0}: cannot accept connections for now: {1}; such failures so far: {2}",
                localAddress,
                trouble,
                count));
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

    /** Stops accepting. Waits, for a short time at most and not on the loop, until the address can be bound again. Idempotent. */
    public void close() {
        sockets.close(channel);
        if (closed.compareAndSet(false, true)) {
            ended.run();
        }
        sockets.awaitRelease();
    }
}
