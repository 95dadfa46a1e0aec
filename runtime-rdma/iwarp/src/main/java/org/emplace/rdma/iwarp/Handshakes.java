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

/** The set-ups of one listener that are in progress: as many as the options allow, shared out by address. Safe for use by several threads. */
final class Handshakes {
    private static final System.Logger LOG = System.getLogger(Handshakes.class.getName());

    private final AddressShares places;
    private final @Nullable IwarpSharedReceives sharedReceives;

    /** @param sharedReceives the listener's: each set-up is a user of them */
    Handshakes(int most, @Nullable IwarpSharedReceives sharedReceives) {
        this.places = new AddressShares(most);
        this.sharedReceives = sharedReceives;
    }

    @Nullable
    IwarpSharedReceives sharedReceives() {
        return sharedReceives;
    }

    /**
     * Takes a place for one more set-up.
     *
     * @return an action to be run once, when the set-up is over; null if there is no place
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
