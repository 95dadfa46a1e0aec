// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.reactor.AddressShares;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.Peer;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timers;
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

    /**
     * Closes a TCP connection after this side's last byte without losing it: sends FIN, and discards incoming bytes until the peer's FIN, up to a
     * limit of time and bytes. Closing at once would reset the connection while bytes arrive, and the peer could lose the bytes sent last. A peer
     * that exceeds the limit of bytes is not reading. The sockets of a listener's connections have places for this, which peers share; without one,
     * the socket is closed at once.
     */
    public static final class Linger implements SocketHandler.Attachment {
        /** More than can be in flight before the peer notices the end: the largest window that Linux gives a connection by default is 6 MiB. */
        private static final long BYTE_LIMIT = 16 << 20;

        /** How much to read at a time. */
        private static final int READ = 16 * 1024;

        private final SocketHandler sockets;
        private final SocketChannel channel;
        private final @Nullable Sharing sharing;
        private long dropped;
        private boolean over;
        private Timers.@Nullable Timer timer;

        private Linger(SocketHandler sockets, SocketChannel channel, @Nullable Sharing sharing) {
            this.sockets = sockets;
            this.channel = channel;
            this.sharing = sharing;
        }

        /**
         * Ends the connection of a key; on its loop.
         *
         * @param sharing whose places the socket needs; null if it needs none
         */
        public static void start(Endpoint endpoint, SelectionKey key, @Nullable Sharing sharing) {
            if (sharing == null || sharing.otherSockets().enter(sharing.peer())) {
                startInPlace(endpoint, key, sharing);
            } else {
                endpoint.sockets().close(endpoint.channel());
            }
        }

        /** As {@link #start}, for a socket that already has a place, which it leaves at the end. */
        public static void startInPlace(Endpoint endpoint, SelectionKey key, @Nullable Sharing sharing) {
            Linger linger = new Linger(endpoint.sockets(), endpoint.channel(), sharing);
            try {
                endpoint.channel().shutdownOutput();
                key.attach(linger);
                endpoint.sockets().watch(key, SelectionKey.OP_READ);
                linger.timer = endpoint.loop().schedule(endpoint.drainTimeout(), linger::shutDown);
            } catch (IOException e) {
                linger.shutDown();
            }
        }

        @Override
        public void ready(SelectionKey key) {
            if (sharing != null && !sockets.loop().fairShare().isLeft(sharing.peer())) {
                // The selector reports it again in the next round.
                return;
            }
            try {
                int count = channel.read(sockets.scratch().limit(READ));
                dropped += count;
                if (sharing != null && count > 0) {
                    sockets.loop().fairShare().spend(sharing.peer(), count);
                }
                if (count < 0 || dropped > BYTE_LIMIT) {
                    shutDown();
                }
            } catch (IOException e) {
                shutDown();
            }
        }

        @Override
        public void failed(Throwable cause) {
            shutDown();
        }

        @Override
        public void shutDown() {
            if (timer != null) {
                timer.cancel();
            }
            sockets.close(channel);
            if (sharing != null && !over) {
                sharing.otherSockets().leave(sharing.peer());
            }
            over = true;
        }
    }
}
