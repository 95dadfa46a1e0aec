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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.CallDispatcher;
import org.emplace.rpc.transport.ConnectionLimit;
import org.emplace.rpc.transport.RpcListener;
import org.emplace.rpc.transport.Timekeeper;

/** Accepts connections and keeps them until it is closed. */
final class TcpListener implements RpcListener, EventLoop.Handler {
    private static final Logger LOG = System.getLogger("org.emplace.rpc.tcp");
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ServerSocketChannel socket;
    private final InetSocketAddress localAddress;
    private final CallDispatcher dispatcher;
    private final ConnectionOptions options;
    private final ConnectionLimit limit;
    private final TcpResources resources;
    private final EventLoop loop;
    private final Set<TcpConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

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
        SocketChannel accepted;
        try {
            accepted = socket.accept();
        } catch (IOException exhausted) {
            pause(key, exhausted);
            return;
        }
        if (accepted != null) {
            admit(accepted);
        }
    }

    /** TCP has no refusal once the kernel has accepted: the peer finds its connection closed. */
    private void admit(SocketChannel accepted) {
        InetSocketAddress peer = (InetSocketAddress) accepted.socket().getRemoteSocketAddress();
        if (limit.admit(peer)) {
            begin(accepted);
        } else {
            closeQuietly(accepted);
        }
    }

    private void begin(SocketChannel accepted) {
        try {
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            TcpConnection connection = TcpConnection.accepted(accepted, dispatcher, options, resources);
            connections.add(connection);
            connection.closed().whenComplete((orderly, failure) -> {
                connections.remove(connection);
                limit.leave();
            });
            connection.start();
            if (closed) {
                connection.close();
            }
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a connection to {0} ended before it began: {1}", localAddress, gone.getMessage());
            closeQuietly(accepted);
            limit.leave();
        }
    }

    /** Descriptors have run out, for instance: without a pause this thread would do nothing but fail. */
    private void pause(SelectionKey key, IOException exhausted) {
        if (closed) {
            return;
        }
        LOG.log(Level.WARNING, "{0} cannot accept connections for now: {1}", localAddress, exhausted.getMessage());
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
            close();
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
        connections.forEach(TcpConnection::close);
    }

    private static void closeQuietly(Channel channel) {
        try {
            channel.close();
        } catch (IOException broken) {
            LOG.log(Level.DEBUG, "closing a socket failed", broken);
        }
    }
}
