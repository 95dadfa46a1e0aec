// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares places among IP addresses, so that no address can take them all. An address gets one more place only if it holds fewer than
 * seven times as many as are free: one address alone can have seven eighths, rounded up, and each later one the same fraction of the rest. Safe
 * for use by several threads.
 */
public final class AddressShares {
    private static final int TIMES_WHAT_IS_FREE = 7;

    private final int most;
    /** The addresses that hold places. */
    private final Map<InetAddress, Integer> heldByAddress = new HashMap<>();

    private int taken;

    /**
     * Places, all of them free.
     *
     * @param most their number
     */
    public AddressShares(int most) {
        this.most = most;
    }

    /** Takes a place, which {@link #leave} returns. @return whether there was one for this address */
    public synchronized boolean enter(InetAddress address) {
        if (held(address) >= TIMES_WHAT_IS_FREE * (most - taken)) {
            return false;
        }
        take(address);
        return true;
    }

    /** Returns a place. */
    public synchronized void leave(InetAddress address) {
        taken--;
        heldByAddress.computeIfPresent(address, (same, before) -> before == 1 ? null : before - 1);
    }

    /** Passes the place of one address to another or to itself, even if that exceeds the other's share. */
    public synchronized void handOver(InetAddress from, InetAddress to) {
        leave(from);
        take(to);
    }

    private void take(InetAddress address) {
        taken++;
        heldByAddress.merge(address, 1, Integer::sum);
    }

    /** Whether the address would get a place that another returns. */
    public synchronized boolean wouldEnterAfterAnother(InetAddress address) {
        return held(address) < TIMES_WHAT_IS_FREE * (most - taken + 1);
    }

    /** The places that an address holds. */
    public synchronized int held(InetAddress address) {
        return heldByAddress.getOrDefault(address, 0);
    }

    /** The places that are taken. */
    public synchronized int taken() {
        return taken;
    }
}
