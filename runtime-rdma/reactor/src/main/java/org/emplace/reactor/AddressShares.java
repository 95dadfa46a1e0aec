// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares places among IP addresses, so that no address can take all of them. An address gets another place only if it holds fewer than seven
 * times the number of free places. So a single address can hold seven eighths, rounded up, and each later one the same fraction of the rest. Safe
 * for use by several threads.
 */
public final class AddressShares {
    private static final int TIMES_WHAT_IS_FREE = 7;

    private final int most;
    /** The number of places that each address holds. */
    private final Map<InetAddress, Integer> heldByAddress = new HashMap<>();

    private int taken;

    /**
     * Creates free places.
     *
     * @param most their number
     */
    public AddressShares(int most) {
        this.most = most;
    }

    /** Takes a place, to be returned with {@link #leave}. @return whether this address could have one */
    public synchronized boolean enter(InetAddress address) {
        if (held(address) >= (long) TIMES_WHAT_IS_FREE * (most - taken)) {
            return false;
        }
        take(address);
        return true;
    }

    /** Returns a place. */
    public synchronized void leave(InetAddress address) {
        heldByAddress.computeIfPresent(address, (same, before) -> before == 1 ? null : before - 1);
        taken--;
    }

    /** Moves a place from one address to another, or to the same, even if that exceeds the other's share. */
    public synchronized void handOver(InetAddress from, InetAddress to) {
        leave(from);
        take(to);
    }

    private void take(InetAddress address) {
        heldByAddress.merge(address, 1, Integer::sum);
        taken++;
    }

    /** Whether the address could take a place if another address returned one. */
    public synchronized boolean wouldEnterAfterAnother(InetAddress address) {
        return held(address) < (long) TIMES_WHAT_IS_FREE * (most - taken + 1);
    }

    /** The number of places that an address holds. */
    public synchronized int held(InetAddress address) {
        return heldByAddress.getOrDefault(address, 0);
    }

    /** The number of places in use. */
    public synchronized int taken() {
        return taken;
    }
}
