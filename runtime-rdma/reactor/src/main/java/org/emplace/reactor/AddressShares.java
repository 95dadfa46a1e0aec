// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares a number of places out by IP address, so that no address can take them all. An address gets one more place only if it holds fewer than
 * seven times as many as are free: one address alone can have seven eighths, rounded up, and those who come later the same fraction of the rest. Safe
 * for use by several threads.
 */
public final class AddressShares {
    private static final int TIMES_WHAT_IS_FREE = 7;

    private final int most;
    /** Of the addresses that hold some. */
    private final Map<InetAddress, Integer> heldByAddress = new HashMap<>();

    private int taken;

    /**
     * Places of which none is taken.
     *
     * @param most how many there are
     */
    public AddressShares(int most) {
        this.most = most;
    }

    /** Takes a place, which {@link #leave} gives back. @return whether there is one for this address */
    public synchronized boolean enter(InetAddress address) {
        if (held(address) >= TIMES_WHAT_IS_FREE * (most - taken)) {
            return false;
        }
        take(address);
        return true;
    }

    /** Gives a place back. */
    public synchronized void leave(InetAddress address) {
        taken--;
        heldByAddress.computeIfPresent(address, (same, before) -> before == 1 ? null : before - 1);
    }

    /** Gives the place of one address to another, or to itself, which has it then even if that is more than its share. */
    public synchronized void handOver(InetAddress from, InetAddress to) {
        leave(from);
        take(to);
    }

    private void take(InetAddress address) {
        taken++;
        heldByAddress.merge(address, 1, Integer::sum);
    }

    /** Whether the address would get the place that another gives back. */
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
