// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import org.emplace.rdma.RdmaCounters;
import org.emplace.rdma.iwarp.queuepair.Endpoint;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.reactor.EventLoop;

/** The options and counters that all connections of one provider share. */
record Shared(IwarpOptions options, SecureRandom random, RdmaCounters counters) {

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
