// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.net.URI;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.recovery.RecoveringConnection.Location;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Connection;

/**
 * A client's attempts to connect: where to, and how long to wait before each. The delay doubles with each attempt that comes to nothing, as do
 * connections that end before they have carried a reply. Safe for use by several threads.
 */
final class Attempts {
    private static final int MOST_DOUBLINGS = 20;

    private final Location location;
    private final RpcTransport transport;
    private final ConnectionOptions options;
    private final Timekeeper time;
    private final RandomGenerator random;

    /** The address of the latest connection, or of the next attempt. */
    private volatile URI address;

    /** Whether the server must be located before the next attempt. */
    private volatile boolean mustLocate = true;

    /** The number of connections made, and of failed attempts, since the last reply over a connection that was not new. */
    private volatile int fruitless;

    /** The time at which the latest connection was made or the latest attempt failed. */
    private volatile long latestAt;

    Attempts(
            URI address,
            Location location,
            RpcTransport transport,
            ConnectionOptions options,
            Timekeeper time,
            RandomGenerator random) {
        this.address = address;
        this.location = location;
        this.transport = transport;
        this.options = options;
        this.time = time;
        this.random = random;
    }

    /** Connects. Locates the server first if the last attempt failed. May block. */
    Connection connect() throws RpcException {
        if (mustLocate) {
            address = location.locate(address);
            mustLocate = false;
        }
        try {
            return transport.connect(address, options);
        } catch (RpcException unreachable) {
            mustLocate = true;
            throw unreachable;
        }
    }

    /**
     * Whether the peer answers an attempt to connect. A rejection is also an answer, and an early failure on this side
     * does not show that the peer is gone.
     */
    boolean isAnswered() {
        long begun = time.nanoTime();
        try {
            transport.connect(address, options).close();
            return true;
        } catch (RpcException failed) {
            return time.nanoTime() - begun < options.connectTimeout().toNanos();
        }
    }

    /** Counts a connection that was made, or an attempt that failed. */
    synchronized void countAttempt() {
        fruitless++;
        latestAt = time.nanoTime();
    }

    /** Counts a reply. */
    void replied() {
        // Without this condition, a call that makes the peer disconnect would be resent at once whenever another call
        // gets a reply.
        if (fruitless != 0
                && time.nanoTime() - latestAt > options.initialDelay().toNanos()) {
            fruitless = 0;
        }
    }

    /** Whether the connection before the latest ended without having carried a reply. */
    boolean areFruitless() {
        return fruitless > 1;
    }

    /** How long to wait before the next attempt. */
    Duration delay() {
        int before = fruitless;
        if (before == 0) {
            return Duration.ZERO;
        }
        Duration doubled = options.initialDelay().multipliedBy(1L << Math.min(before - 1, MOST_DOUBLINGS));
        Duration longest = options.maxDelay();
        long nanos = (doubled.compareTo(longest) < 0 ? doubled : longest).toNanos();
        long delay = nanos - random.nextLong(nanos / 2 + 1);
        return Duration.ofNanos(Math.max(0, delay - (time.nanoTime() - latestAt)));
    }

    /** The server's address. */
    @Override
    public String toString() {
        return address.toString();
    }

    URI address() {
        return address;
    }
}
