// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * The connections that a server has at a time, over all of its listeners. That some are refused is said once, and again only after a
 * tenth of the connections has ended. Safe for use by several threads.
 */
public final class ConnectionLimit {
    private static final System.Logger LOG = System.getLogger(ConnectionLimit.class.getName());

    private final int most;
    private final Consumer<String> announcement;
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
        if (open < most) {
            open++;
            return true;
        }
        refused++;
        if (!said) {
            said = true;
            announcement.accept("refused " + peer + " and refusing others: the server has the " + most
                    + " connections that it is allowed");
        }
        return false;
    }

    /** A connection that was admitted is over. */
    public synchronized void leave() {
        open--;
        said &= open >= most - most / 10;
    }

    /** Connections that have been refused so far. */
    public synchronized long refused() {
        return refused;
    }
}
