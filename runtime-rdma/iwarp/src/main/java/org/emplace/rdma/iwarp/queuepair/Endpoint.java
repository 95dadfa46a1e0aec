// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.reactor.AddressShares;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.FairShare.Turns;
import org.emplace.reactor.Linger;
import org.emplace.reactor.Peer;
import org.emplace.reactor.SocketHandler;
import org.jspecify.annotations.Nullable;

/**
 * This side's end of a TCP connection, with the objects and settings that it uses.
 *
 * @param wire moves bytes into and out of the channel
 * @param drainTimeout how long an ending connection waits for bytes in transit
 * @param receiveTimeout how long the peer's Send waits for a Receive of a shared queue
 * @param random chooses values that the peer must not guess
 */
public record Endpoint(
        SocketHandler sockets,
        SocketChannel channel,
        Wire wire,
        Duration drainTimeout,
        Duration receiveTimeout,
        SecureRandom random,
        InetSocketAddress local,
        InetSocketAddress remote) {

    /** The loop that serves the channel. */
    public EventLoop loop() {
        return sockets.loop();
    }

    /** The connection, for messages. */
    @Override
    public String toString() {
        return "iwarp " + local + " - " + remote;
    }

    /**
     * What an accepted connection shares with the others of its listener.
     *
     * @param peer the peer whose connections share the rounds of a loop
     * @param otherSockets the places of sockets that are not established connections: they are being set up, or {@linkplain Linger linger} after
     *     their end
     */
    public record Sharing(Peer peer, AddressShares otherSockets) {}

    /** The turns of the connection. */
    Turns turns(@Nullable Sharing sharing) {
        return new Turns(loop(), sharing == null ? null : sharing.peer());
    }

    /**
     * Ends the connection in an orderly way, if its socket gets a place for that; without one, closes it at once. On the loop.
     *
     * @param sharing whose places the socket needs; null if it needs none
     */
    void linger(SelectionKey key, @Nullable Sharing sharing) {
        if (sharing == null || sharing.otherSockets().enter(sharing.peer())) {
            lingerInPlace(key, sharing);
        } else {
            sockets.close(channel);
        }
    }

    /** As {@link #linger}, for a socket that already has a place, which it leaves at the end. */
    public void lingerInPlace(SelectionKey key, @Nullable Sharing sharing) {
        Linger.start(sockets, key, drainTimeout, turns(sharing), () -> {
            try {
                sockets.close(channel);
            } finally {
                if (sharing != null) {
                    sharing.otherSockets().leave(sharing.peer());
                }
            }
        });
    }
}
