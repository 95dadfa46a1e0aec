// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.emplace.rdma.iwarp.queuepair.IwarpSharedReceives;
import org.emplace.reactor.AddressShares;
import org.jspecify.annotations.Nullable;

/** Limits the set-ups of one listener that are in progress, and shares them among addresses. Safe for use by several threads. */
final class Handshakes {
    private static final System.Logger LOG = System.getLogger(Handshakes.class.getName());

    private final AddressShares places;
    private final @Nullable IwarpSharedReceives sharedReceives;

    /** @param sharedReceives the listener's queue, of which each set-up is a user; null for none */
    Handshakes(int most, @Nullable IwarpSharedReceives sharedReceives) {
        this.places = new AddressShares(most);
        this.sharedReceives = sharedReceives;
    }

    @Nullable
    IwarpSharedReceives sharedReceives() {
        return sharedReceives;
    }

    /**
     * Reserves a place for a set-up.
     *
     * @return an action to run once, when the set-up has ended; null if there is no place
     */
    @Nullable
    Runnable begin(SocketChannel accepted) throws IOException {
        InetAddress peer = ((InetSocketAddress) accepted.getRemoteAddress()).getAddress();
        if (!places.enter(peer)) {
            LOG.log(
                    Level.DEBUG,
                    "closed a connection of {0}: its address has {1} that are being set up",
                    peer,
                    places.held(peer));
            return null;
        }
        if (sharedReceives != null && !sharedReceives.join()) {
            places.leave(peer);
            return null;
        }
        return () -> over(peer);
    }

    private void over(InetAddress peer) {
        places.leave(peer);
        if (sharedReceives != null) {
            sharedReceives.leave();
        }
    }
}
