// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.iwarp.queuepair.Endpoint.Sharing;
import org.emplace.rdma.iwarp.queuepair.IwarpSharedReceives;
import org.emplace.reactor.Acceptor;
import org.emplace.reactor.AddressShares;
import org.emplace.reactor.Peer;
import org.emplace.reactor.SocketHandler;
import org.jspecify.annotations.Nullable;

/** Accepts TCP connections and sets them up. Limits the set-ups in progress and the sockets that linger, and divides that limit among {@linkplain Peer peers}. */
final class IwarpListener implements RdmaListener {
    private static final System.Logger LOG = System.getLogger(IwarpListener.class.getName());

    private final IwarpProvider provider;
    private final ConnectionAcceptor acceptor;
    private final @Nullable IwarpSharedReceives sharedReceives;
    /** The places of sockets that are being set up, or that linger after their end. */
    private final AddressShares sockets;

    private final Acceptor listening;

    /**
     * Starts to listen.
     *
     * @param channel bound, non-blocking
     * @param sharedReceives the capacity of the shared receive queue; 0 for none
     */
    IwarpListener(IwarpProvider provider, ServerSocketChannel channel, int sharedReceives, ConnectionAcceptor acceptor)
            throws IOException {
        this.provider = provider;
        this.acceptor = acceptor;
        this.sharedReceives = sharedReceives == 0 ? null : new IwarpSharedReceives(sharedReceives, provider.counters());
        sockets = new AddressShares(provider.options().handshakes());
        listening = new Acceptor(provider.nextHandler(), channel, this::accepted, this::leaveReceives);
        listening.start();
    }

    IwarpProvider provider() {
        return provider;
    }

    ConnectionAcceptor acceptor() {
        return acceptor;
    }

    /** What a connection of a peer shares with others. */
    Sharing sharing(InetSocketAddress peer) {
        return new Sharing(Peer.of(peer.getAddress()), sockets);
    }

    /** The shared receive queue, of which this listener and each set-up is a user; null for none. */
    @Nullable
    IwarpSharedReceives sharedReceives() {
        return sharedReceives;
    }

    @Override
    public InetSocketAddress localAddress() {
        return listening.localAddress();
    }

    @Override
    public void close() {
        listening.close();
    }

    /** Sets up an accepted connection if the limit allows it; else closes it. */
    private void accepted(SocketChannel channel) {
        Peer peer;
        try {
            peer = Peer.of(((InetSocketAddress) channel.getRemoteAddress()).getAddress());
        } catch (IOException gone) {
            SocketHandler.closeQuietly(channel);
            return;
        }
        if (!enter(peer)) {
            SocketHandler.closeQuietly(channel);
            return;
        }
        SocketHandler handler = provider.nextHandler();
        handler.loop().execute(() -> {
            try {
                ResponderHandshake.start(provider.endpoint(handler, channel, provider.wire(channel)), this);
            } catch (IOException | ClosedSelectorException e) {
                LOG.log(Level.DEBUG, "a connection, or its loop, ended before its set-up", e);
                abandon(channel, peer);
            } catch (Throwable e) {
                abandon(channel, peer);
                throw e;
            }
        });
    }

    private void abandon(SocketChannel channel, Peer peer) {
        SocketHandler.closeQuietly(channel);
        setUpOver(peer);
    }

    private boolean enter(Peer peer) {
        if (!sockets.enter(peer)) {
            LOG.log(
                    Level.DEBUG,
                    "closed a connection of {0}: its address has {1} that are being set up or have just ended",
                    peer,
                    sockets.held(peer));
            return false;
        }
        if (sharedReceives != null && !sharedReceives.join()) {
            sockets.leave(peer);
            return false;
        }
        return true;
    }

    /** Called once for each set-up, when its connection is established or has failed. */
    void setUpOver(Peer peer) {
        sockets.leave(peer);
        leaveReceives();
    }

    /** Called instead, when a set-up has been rejected: its socket keeps the place until it has lingered. */
    void rejected() {
        leaveReceives();
    }

    private void leaveReceives() {
        if (sharedReceives != null) {
            sharedReceives.leave();
        }
    }
}
