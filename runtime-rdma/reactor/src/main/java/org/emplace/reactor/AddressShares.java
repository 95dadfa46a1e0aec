// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.HashMap;
import java.util.Map;

/**
 * Shares places among {@linkplain Peer peers}, so that none can take all of them. A peer gets another place only if it holds fewer than seven
 * times the number of free places. So a single peer can hold seven eighths, rounded up, and each later one the same fraction of the rest. Safe
 * for use by several threads.
 */
public final class AddressShares {
    private static final int TIMES_WHAT_IS_FREE = 7;

    private final int most;
    /** The number of places that each peer holds. */
    private final Map<Peer, Places> heldByPeer = new HashMap<>();

    private int taken;

    /**
     * Creates free places.
     *
     * @param most their number
     */
    public AddressShares(int most) {
        this.most = most;
    }

    /** The places of one peer. To return one needs no memory. */
    private static final class Places {
        private int held;
    }

    /** Takes a place, to be returned with {@link #leave}. @return whether this peer could have one */
    public synchronized boolean enter(Peer peer) {
        if (held(peer) >= (long) TIMES_WHAT_IS_FREE * (most - taken)) {
            return false;
        }
        count(peer);
        return true;
    }

    /** Returns a place. */
    public synchronized void leave(Peer peer) {
        taken--;
        Places places = heldByPeer.get(peer);
        if (places != null && --places.held == 0) {
            heldByPeer.remove(peer);
        }
    }

    /** Moves a place from one peer to another, or to the same, even if that exceeds the other's share. */
    public synchronized void handOver(Peer from, Peer to) {
        leave(from);
        count(to);
    }

    private void count(Peer peer) {
        heldByPeer.computeIfAbsent(peer, first -> new Places()).held++;
        taken++;
    }

    /** Whether the peer could take a place if another peer returned one. */
    public synchronized boolean wouldEnterAfterAnother(Peer peer) {
        return held(peer) < (long) TIMES_WHAT_IS_FREE * (most - taken + 1);
    }

    /** The number of places that a peer holds. */
    public synchronized int held(Peer peer) {
        Places places = heldByPeer.get(peer);
        return places == null ? 0 : places.held;
    }

    /** The number of places in use. */
    public synchronized int taken() {
        return taken;
    }
}
