// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.reactor.EventLoop;

/**
 * This side's end of a TCP connection, with the objects and settings that it uses.
 *
 * @param wire moves bytes into and out of the channel
 * @param drainTimeout how long an ending connection waits for bytes in transit
 * @param receiveTimeout how long the peer's Send waits for a Receive of a shared queue
 * @param random chooses values that the peer must not guess
 */
public record Endpoint(
        EventLoop loop,
        SocketChannel channel,
        Wire wire,
        Duration drainTimeout,
        Duration receiveTimeout,
        SecureRandom random,
        InetSocketAddress local,
        InetSocketAddress remote) {

    /** The connection, for messages. */
    @Override
    public String toString() {
        return "iwarp " + local + " - " + remote;
    }
}
