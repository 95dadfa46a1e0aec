// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The connections that a server has at a time, over all of its listeners. An IP address gets one more only if it has fewer than seven times as
 * many as are free: one address alone can have seven eighths, and those who come later the same fraction of the rest. That there are no more
 * connections is logged once, and again only after a tenth of them has ended. Safe for use by several threads.
 */
public final class ConnectionLimit {
    private static final System.Logger LOG = System.getLogger(ConnectionLimit.class.getName());

    private static final int TIMES_WHAT_IS_FREE = 7;

    private final int most;
    private final Consumer<String> announcement;
    private final LogSampler refusedAddresses = new LogSampler();
    /** Of the addresses that have some. */
    private final Map<InetAddress, Integer> openByAddress = new HashMap<>();

    private int open;
    private long refused;
    private boolean said;

    /**
     * A limit that says in the log that it refuses.
     *
     * @param most connections at a time; positive
     */
    public ConnectionLimit(int most) {
        this(most, refusal -> LOG.log(Level.WARNING, refusal));
    }

    /**
     * A limit.
     *
     * @param most connections at a time; positive
     * @param announcement told in a line that connections are refused
     */
    public ConnectionLimit(int most, Consumer<String> announcement) {
        if (most <= 0) {
            throw new IllegalArgumentException(most + " connections: a server has one at least");
        }
        this.most = most;
        this.announcement = announcement;
    }

    /** The connections that there may be at a time. */
    public int most() {
        return most;
    }

    /**
     * Asks for a place for a connection.
     *
     * @return whether there is one; it is kept until {@link #leave}
     */
    public synchronized boolean admit(InetSocketAddress peer) {
        int held = openByAddress.getOrDefault(peer.getAddress(), 0);
        if (held < TIMES_WHAT_IS_FREE * (most - open)) {
            open++;
            openByAddress.put(peer.getAddress(), held + 1);
            return true;
        }
        refused++;
        if (open < most) {
            refusedAddresses.event(count -> announcement.accept("refused " + peer + ", " + count
                    + " connections like this so far: its address has " + held + " of the server's " + most));
        } else if (!said) {
            said = true;
            announcement.accept("refused " + peer + " and refusing others: the server has the " + most
                    + " connections that it is allowed");
        }
        return false;
    }

    /** A connection that was admitted is over. */
    public synchronized void leave(InetSocketAddress peer) {
        open--;
        openByAddress.computeIfPresent(peer.getAddress(), (same, before) -> before == 1 ? null : before - 1);
        said &= open >= most - most / 10;
    }

    /** Connections that have been refused so far. */
    public synchronized long refused() {
        return refused;
    }
}
