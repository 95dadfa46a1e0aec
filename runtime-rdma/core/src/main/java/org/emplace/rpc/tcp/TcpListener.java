// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.CallDispatcher;
import org.emplace.rpc.transport.ConnectionLimit;
import org.emplace.rpc.transport.OpenConnections;
import org.emplace.rpc.transport.RpcListener;
import org.emplace.rpc.transport.Timekeeper;
import org.jspecify.annotations.Nullable;

/** Accepts connections and keeps them until it is closed. */
final class TcpListener implements RpcListener, EventLoop.Handler {
    private static final Logger LOG = System.getLogger(TcpListener.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ServerSocketChannel socket;
    private final InetSocketAddress localAddress;
    private final CallDispatcher dispatcher;
    private final ConnectionOptions options;
    private final ConnectionLimit limit;
    private final TcpResources resources;
    private final EventLoop loop;
    private final OpenConnections connections = new OpenConnections();
    private volatile boolean closed;
    /** Whether the last try to accept has failed. The loop's thread alone uses it. */
    private boolean exhausted;

    /**
     * A listener that does not accept yet; see {@link #start}.
     *
     * @param socket bound and non-blocking
     */
    TcpListener(
            ServerSocketChannel socket,
            CallDispatcher dispatcher,
            ConnectionOptions options,
            ConnectionLimit limit,
            TcpResources resources)
            throws IOException {
        this.socket = socket;
        this.localAddress = (InetSocketAddress) socket.getLocalAddress();
        this.dispatcher = dispatcher;
        this.options = options;
        this.limit = limit;
        this.resources = resources;
        this.loop = resources.nextLoop();
    }

    /** Begins to accept. */
    void start() {
        loop.execute(() -> {
            try {
                SelectionKey unused = loop.register(socket, SelectionKey.OP_ACCEPT, this);
            } catch (IOException gone) {
                failed(gone);
            }
        });
    }

    @Override
    public void ready(SelectionKey key, ByteBuffer scratch) {
        SocketChannel accepted = null;
        try {
            accepted = socket.accept();
            exhausted = false;
            if (accepted != null) {
                admit(accepted);
            }
        } catch (Throwable trouble) {
            // Even where it is lack of memory: those who come later are to find the server.
            closeQuietly(accepted);
            pause(key, trouble);
        }
    }

    /** TCP has no refusal once the kernel has accepted: the peer finds its connection closed. */
    private void admit(SocketChannel accepted) {
        InetSocketAddress peer = (InetSocketAddress) accepted.socket().getRemoteSocketAddress();
        if (!limit.admit(peer)) {
            closeQuietly(accepted);
            return;
        }
        TcpConnection connection;
        try {
            connection = connection(accepted);
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a connection to {0} ended before it began: {1}", localAddress, gone.getMessage());
            closeQuietly(accepted);
            limit.leave();
            return;
        } catch (RuntimeException | Error broken) {
            limit.leave();
            throw broken;
        }
        begin(connection);
    }

    private TcpConnection connection(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        return TcpConnection.accepted(accepted, dispatcher, options, resources);
    }

    private void begin(TcpConnection connection) {
        connections.add(connection);
        connection.closed().whenComplete((orderly, failure) -> limit.leave());
        connection.start();
    }

    /** Descriptors have run out, for instance: without a pause this thread would do nothing but fail. That is said once. */
    private void pause(SelectionKey key, Throwable trouble) {
        if (closed || !key.isValid()) {
            return;
        }
        LOG.log(
                exhausted ? Level.DEBUG : Level.WARNING,
                "{0} cannot accept connections for now: {1}",
                localAddress,
                trouble);
        exhausted = true;
        key.interestOps(0);
        Timekeeper.Timer unused = resources
                .time()
                .after(
                        PAUSE,
                        () -> loop.execute(() -> {
                            if (key.isValid()) {
                                key.interestOps(SelectionKey.OP_ACCEPT);
                            }
                        }));
    }

    @Override
    public void failed(Throwable cause) {
        if (!closed) {
            LOG.log(Level.ERROR, "listening at " + localAddress + " failed", cause);
            resources.callbacks().execute(this::close);
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public void close() {
        closed = true;
        closeQuietly(socket);
        loop.awaitRelease();
        connections.close();
    }

    private static void closeQuietly(@Nullable Channel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException broken) {
            LOG.log(Level.DEBUG, "closing a socket failed", broken);
        }
    }
}
