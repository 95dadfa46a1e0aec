// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;
import org.emplace.rdma.RdmaCounters;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.rdma.iwarp.queuepair.Endpoint;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.LoopGroup;

/**
 * The objects that all connections of one provider share.
 *
 * @param wiretap returns the wire that a connection uses in place of the wire of its socket
 */
record Shared(
        IwarpOptions options,
        SecureRandom random,
        RdmaCounters counters,
        LoopGroup loops,
        UnaryOperator<Wire> wiretap) {

    /** Prepares a channel for use on a loop; closes it if that fails. */
    Wire wire(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return wiretap.apply(Wire.of(channel));
        } catch (IOException e) {
            EventLoop.closeQuietly(channel);
            throw e;
        }
    }

    /** This side's end of a connected channel. */
    Endpoint endpoint(EventLoop loop, SocketChannel channel, Wire wire) throws IOException {
        return new Endpoint(
                loop,
                channel,
                wire,
                options.drainTimeout(),
                options.receiveTimeout(),
                random,
                (InetSocketAddress) channel.getLocalAddress(),
                (InetSocketAddress) channel.getRemoteAddress());
    }
}
