// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.emplace.reactor.AddressShares;
import org.jspecify.annotations.Nullable;

/**
 * The connections that a server has at a time, over all of its listeners, shared out by IP address as {@link AddressShares} says.
 *
 * <p>If there is no place for a new connection, one that has been idle for long enough is closed to make room. It is one of the same address or, if
 * the server is full and the new connection's address has only a few, one of the address that has the most. Among several, it is the one that has
 * been idle longest.
 *
 * <p>The limit logs once that there is no place left, and again only after a tenth of the connections has ended. Safe for use by several threads.
 */
public final class ConnectionLimit {
    /** How long a connection is idle by default before it may be closed to make room. */
    public static final Duration DEFAULT_IDLE = Duration.ofSeconds(30);

    private static final System.Logger LOG = System.getLogger(ConnectionLimit.class.getName());

    private final int most;
    private final Duration idle;
    private final Consumer<String> announcement;
    private final LogSampler refusedAddresses = new LogSampler();
    private final LogSampler closedIdle = new LogSampler();
    private final AddressShares shares;
    /** Those that may be closed when they are idle. */
    private final Set<Place> occupied = new LinkedHashSet<>();

    private long refused;
    private boolean said;

    /** A connection that has a place. */
    public interface Occupant {
        /** Nanoseconds for which the connection has had no call in progress either way; 0 while there is one. */
        long idleNanos();

        /** Closes the connection; must not block. */
        void close();
    }

    /**
     * A limit that says in the log that it refuses.
     *
     * @param most connections at a time; positive
     * @param idle how long a connection has to be idle before it may be closed to make room; not negative
     */
    public ConnectionLimit(int most, Duration idle) {
        this(most, idle, refusal -> LOG.log(Level.WARNING, refusal));
    }

    /** A limit with the default idle time. */
    public ConnectionLimit(int most) {
        this(most, DEFAULT_IDLE);
    }

    /**
     * A limit.
     *
     * @param most connections at a time; positive
     * @param idle how long a connection has to be idle before it may be closed to make room; not negative
     * @param announcement told in a line that connections are refused or closed
     */
    public ConnectionLimit(int most, Duration idle, Consumer<String> announcement) {
        if (most <= 0) {
            throw new IllegalArgumentException(most + " connections: a server has one at least");
        }
        if (idle.isNegative()) {
            throw new IllegalArgumentException("a connection cannot be idle for " + idle);
        }
        this.most = most;
        this.idle = idle;
        this.announcement = announcement;
        this.shares = new AddressShares(most);
    }

    /** The connections that there may be at a time. */
    public int most() {
        return most;
    }

    /**
     * Asks for a place for a connection. May close another connection.
     *
     * @return empty if there is none; a place is kept until {@link Place#leave}
     */
    public Optional<Place> admit(InetSocketAddress peer) {
        Place replaced = null;
        synchronized (this) {
            if (!shares.enter(peer.getAddress())) {
                replaced = longestIdle(peer.getAddress());
                if (replaced == null) {
                    refuse(peer);
                    return Optional.empty();
                }
                replaced.handOver(peer);
            }
        }
        if (replaced != null) {
            replaced.closeOccupant();
        }
        return Optional.of(new Place(peer));
    }

    /** An address may have one of its own replaced in any case, as nobody else has less then. */
    private @Nullable Place longestIdle(InetAddress asking) {
        boolean mayReplaceOthers = shares.wouldEnterAfterAnother(asking);
        return occupied.stream()
                .filter(place -> mayReplaceOthers || place.address().equals(asking))
                .map(Candidate::new)
                .filter(candidate -> !candidate.idle.isZero() && candidate.idle.compareTo(idle) >= 0)
                .max(Comparator.<Candidate>comparingInt(candidate -> shares.held(candidate.place.address()))
                        .thenComparing(Candidate::idle))
                .map(Candidate::place)
                .orElse(null);
    }

    private void refuse(InetSocketAddress peer) {
        refused++;
        if (shares.taken() < most) {
            refusedAddresses.event(count -> announcement.accept("refused " + peer + ", " + count
                    + " connections like this so far: its address has " + shares.held(peer.getAddress())
                    + " of the server's " + most));
        } else if (!said) {
            said = true;
            announcement.accept("refused " + peer + " and refusing others: the server has the " + most
                    + " connections that it is allowed");
        }
    }

    /** The connections that have a place. */
    public synchronized int taken() {
        return shares.taken();
    }

    /** Connections that have been refused so far. */
    public synchronized long refused() {
        return refused;
    }

    /** A place as found by a look at it: how long its connection has been idle may change meanwhile. */
    private record Candidate(Place place, Duration idle) {
        Candidate(Place place) {
            this(place, Duration.ofNanos(place.idleNanos()));
        }
    }

    /** The place of one connection. */
    public final class Place {
        private final InetSocketAddress peer;
        /** Null while the connection is being set up. Guarded by the limit, as is what follows. */
        private @Nullable Occupant occupant;

        private boolean over;

        private Place(InetSocketAddress peer) {
            this.peer = peer;
        }

        private InetAddress address() {
            return peer.getAddress();
        }

        /** The connection stands: from now on it may be closed while it is idle. */
        public void occupy(Occupant connection) {
            synchronized (ConnectionLimit.this) {
                if (!over) {
                    occupant = connection;
                    occupied.add(this);
                }
            }
        }

        /** The connection is over, or was never set up. Idempotent. */
        public void leave() {
            synchronized (ConnectionLimit.this) {
                if (end()) {
                    shares.leave(address());
                    said &= shares.taken() >= most - most / 10;
                }
            }
        }

        private void handOver(InetSocketAddress next) {
            closedIdle.event(count -> announcement.accept("closed " + peer + ", idle for "
                    + Duration.ofNanos(idleNanos()).toSeconds() + " s, to make room for " + next
                    + "; closed like this so far: " + count));
            end();
            shares.handOver(address(), next.getAddress());
        }

        /** @return whether it was not over before */
        private boolean end() {
            boolean first = !over;
            over = true;
            occupied.remove(this);
            return first;
        }

        private long idleNanos() {
            return occupant == null ? 0 : occupant.idleNanos();
        }

        private void closeOccupant() {
            if (occupant != null) {
                occupant.close();
            }
        }
    }
}
