// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.emplace.reactor.Acceptor;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.KeepAliveProbes;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.Listener;

/** Accepts connections, and closes them when it is closed. */
final class TcpListener implements Listener {
    private static final Logger LOG = System.getLogger(TcpListener.class.getName());

    private final Acceptor acceptor;
    private final ConnectionRole role;
    private final ConnectionLimit limit;
    private final TcpTransport.Resources resources;

    /**
     * Creates a listener, which accepts connections after {@link #start}.
     *
     * @param socket bound and non-blocking
     */
    TcpListener(
            ServerSocketChannel socket, ConnectionRole role, ConnectionLimit limit, TcpTransport.Resources resources)
            throws IOException {
        this.role = role;
        this.limit = limit;
        this.resources = resources;
        this.acceptor = new Acceptor(resources.loops().next(), socket, this::admit, () -> {});
    }

    /** Starts to accept connections. */
    void start() {
        acceptor.start();
    }

    /** Admits a connection, or closes it: TCP cannot reject one that the kernel has accepted. */
    private void admit(SocketChannel accepted) {
        InetSocketAddress peer = (InetSocketAddress) accepted.socket().getRemoteSocketAddress();
        ConnectionLimit.Place place = limit.admit(peer).orElse(null);
        if (place == null) {
            EventLoop.closeQuietly(accepted);
            return;
        }
        TcpConnection connection;
        try {
            connection = connection(accepted);
        } catch (IOException gone) {
            LOG.log(
                    Level.DEBUG,
                    "a connection to {0} ended while it was being set up: {1}",
                    localAddress(),
                    gone.getMessage());
            EventLoop.closeQuietly(accepted);
            place.leave();
            return;
        } catch (RuntimeException | Error broken) {
            EventLoop.closeQuietly(accepted);
            place.leave();
            throw broken;
        }
        try {
            place.occupy(connection);
            connection.start();
        } catch (RuntimeException | Error broken) {
            connection.reset();
            place.leave();
            throw broken;
        }
    }

    private TcpConnection connection(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        KeepAliveProbes.within(role.options().keepAlive(), accepted);
        return new TcpConnection("tcp connection of " + accepted.getRemoteAddress(), accepted, role, resources);
    }

    @Override
    public InetSocketAddress localAddress() {
        return acceptor.localAddress();
    }

    @Override
    public void close() {
        acceptor.close();
        acceptor.awaitRelease();
        limit.close();
    }
}
