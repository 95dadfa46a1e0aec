// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaListener;
import org.emplace.reactor.Acceptor;
import org.emplace.reactor.EventLoop;

/** A listening socket; hands on every TCP connection that it accepts. */
final class IwarpListener implements RdmaListener {
    private final InetSocketAddress localAddress;
    private final Acceptor acceptor;

    /**
     * @param channel bound, non-blocking
     * @param closing run once, at the end
     */
    IwarpListener(EventLoop loop, ServerSocketChannel channel, Consumer<SocketChannel> accepted, Runnable closing)
            throws IOException {
        localAddress = (InetSocketAddress) channel.getLocalAddress();
        acceptor = new Acceptor(loop, channel, accepted, closing);
    }

    void start() {
        acceptor.start();
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public void close() {
        acceptor.close();
    }
}
