// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.emplace.reactor.AddressShares;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server, over all its listeners. Limits their number, and each {@linkplain Peer peer} to its share of them
 * ({@link AddressShares}).
 *
 * <p>If a new connection would exceed a limit, a connection that has been idle for long enough is closed in its favor.
 * It is a connection of the same address or, if the server has reached its limit and the address has few connections,
 * one of the address with the most. Among several, it is the one that has been idle longest.
 *
 * <p>When the server reaches its limit, that is logged once, and again only after a tenth of the connections has ended.
 * Safe for use by several threads.
 */
public final class ConnectionLimit implements AutoCloseable {
    /** The default time for which a connection must be idle before it may be closed in favor of another. */
    public static final Duration DEFAULT_IDLE = Duration.ofSeconds(30);

    /** Longer than the orderly close of a connection takes. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private static final System.Logger LOG = System.getLogger(ConnectionLimit.class.getName());

    private final int most;
    private final Duration idle;
    private final Consumer<String> announcement;
    private final LogSampler refusedAddresses = new LogSampler();
    private final LogSampler closedIdle = new LogSampler();
    private final AddressShares shares;
    /** The established connections. */
    private final Map<Peer, Standing> occupied = new HashMap<>();
    /** No connection is idle for long enough before this time, by {@link System#nanoTime}. */
    private long noneIdleBefore = System.nanoTime();

    private long refused;
    private boolean said;
    private boolean closed;

    /** A connection that has been admitted. */
    public interface Occupant {
        /** The time in nanoseconds for which no call has been in progress in either direction; 0 while one is. */
        long idleNanos();

        /** Closes the connection; must not block. */
        void close();

        /** Completes when the connection is over. */
        CompletionStage<Void> closed();
    }

    /**
     * Creates a limit that logs when connections are refused.
     *
     * @param most the most connections at a time; positive
     * @param idle how long a connection must be idle before it may be closed in favor of another; not negative
     */
    public ConnectionLimit(int most, Duration idle) {
        this(most, idle, refusal -> LOG.log(Level.WARNING, refusal));
    }

    /** Creates a limit with the default idle time. */
    public ConnectionLimit(int most) {
        this(most, DEFAULT_IDLE);
    }

    /**
     * Creates a limit.
     *
     * @param most the most connections at a time; positive
     * @param idle how long a connection must be idle before it may be closed in favor of another; not negative
     * @param announcement gets one line when connections are refused or closed
     */
    public ConnectionLimit(int most, Duration idle, Consumer<String> announcement) {
        if (most <= 0) {
            throw new IllegalArgumentException("a server must allow at least one connection, not " + most);
        }
        if (idle.isNegative()) {
            throw new IllegalArgumentException("the idle time of a connection must not be negative: " + idle);
        }
        this.most = most;
        this.idle = idle;
        this.announcement = announcement;
        this.shares = new AddressShares(most);
    }

    /** The most connections at a time. */
    public int most() {
        return most;
    }

    /**
     * Admits a connection, if the limit allows it. May close another connection.
     *
     * @return the connection's place, which is held until {@link Place#leave}; empty if the connection is refused
     */
    public Optional<Place> admit(InetSocketAddress address) {
        Place asking = new Place(address);
        Optional<Place> admission = Optional.of(asking);
        List<String> news = new ArrayList<>(0);
        Place replaced = null;
        boolean admitted;
        synchronized (this) {
            admitted = shares.enter(asking.peer);
            if (!admitted) {
                replaced = longestIdle(asking.peer);
                admitted = replaced != null;
                if (replaced == null) {
                    refuse(asking, news);
                } else {
                    replaced.handOver(asking, news);
                }
            }
        }
        if (replaced != null) {
            replaced.closeOccupant();
        }
        try {
            news.forEach(announcement);
        } catch (Throwable broken) {
            if (admitted) {
                asking.leave();
            }
            throw broken;
        }
        return admitted ? admission : Optional.empty();
    }

    /** A connection of the asking peer may always be replaced, because that takes nothing from other peers. */
    private @Nullable Place longestIdle(Peer asking) {
        long now = System.nanoTime();
        if (!shares.wouldEnterAfterAnother(asking)) {
            Standing own = occupied.get(asking);
            return own == null ? null : own.longestIdle(now);
        }
        if (noneIdleBefore - now > 0) {
            return null;
        }
        Place best = null;
        long soonest = idle.toNanos();
        for (Standing standing : occupied.values()) {
            Place candidate = standing.longestIdle(now);
            soonest = Math.min(soonest, standing.noneIdleBefore - now);
            if (candidate != null && (best == null || isBefore(candidate, best))) {
                best = candidate;
            }
        }
        noneIdleBefore = best == null ? now + soonest : now;
        return best;
    }

    private boolean isBefore(Place candidate, Place other) {
        int more = shares.held(candidate.peer) - shares.held(other.peer);
        return more > 0 || (more == 0 && candidate.idleNanos() > other.idleNanos());
    }

    private void refuse(Place asking, List<String> news) {
        refused++;
        if (shares.taken() < most) {
            refusedAddresses.event(count -> news.add("refused " + asking.address + ", " + count
                    + " such connections so far: its address has " + shares.held(asking.peer)
                    + " of the server's " + most));
        } else if (!said) {
            said = true;
            news.add("refused " + asking.address
                    + " and refusing further connections: the server has reached its limit of " + most
                    + " connections; raise it with RpcServer.Builder.maxConnections");
        }
    }

    /** The number of admitted connections. */
    public synchronized int taken() {
        return shares.taken();
    }

    /** The number of connections rejected so far. */
    public synchronized long refused() {
        return refused;
    }

    /**
     * Closes the connections, and those that are established later. Waits for at most two seconds until they have
     * ended, so that the peers get all messages even if the program exits next. Must not be called on threads that
     * serve connections.
     */
    @Override
    public void close() {
        List<Occupant> open = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Standing standing : occupied.values()) {
                standing.places.forEach(place -> open.add(Objects.requireNonNull(place.occupant)));
            }
        }
        CompletableFuture<?>[] ends = open.stream()
                .map(connection -> connection.closed().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        open.forEach(Occupant::close);
        try {
            CompletableFuture.allOf(ends).get(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.log(Level.DEBUG, "not all connections were closed in an orderly way: {0}", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The established connections of one peer. Remembers for how long it is of no use to look at each of them again. */
    private final class Standing {
        private final Set<Place> places = new LinkedHashSet<>();
        private long noneIdleBefore = System.nanoTime();

        /** Returns the connection that has been idle longest, and for long enough; null if there is none. */
        @Nullable
        Place longestIdle(long now) {
            if (noneIdleBefore - now > 0) {
                return null;
            }
            Place longest = null;
            long most = 0;
            for (Place place : places) {
                long nanos = place.idleNanos();
                if (nanos > most) {
                    longest = place;
                    most = nanos;
                }
            }
            if (most < idle.toNanos()) {
                // Not at once when the next may have been idle for long enough: peers could make calls shortly before.
                noneIdleBefore = now + Math.max(idle.toNanos() - most, idle.toNanos() / 64);
                return null;
            }
            return longest;
        }
    }

    /** The place of one connection. */
    public final class Place {
        private final InetSocketAddress address;
        private final Peer peer;
        /** Null while the connection is being set up. This field and the one below are guarded by the limit. */
        private @Nullable Occupant occupant;

        private boolean over;

        private Place(InetSocketAddress address) {
            this.address = address;
            this.peer = Peer.of(address.getAddress());
        }

        /**
         * Called when the connection is established. From now on it may be closed while it is idle; when it is over, it
         * leaves the place.
         */
        public void occupy(Occupant connection) {
            boolean late;
            synchronized (ConnectionLimit.this) {
                late = closed;
                if (!over) {
                    occupant = connection;
                    occupied.computeIfAbsent(peer, first -> new Standing())
                            .places
                            .add(this);
                }
            }
            connection.closed().whenComplete((ended, failure) -> leave());
            if (late) {
                connection.close();
            }
        }

        /** Called when the connection is over, or its set-up has failed. Idempotent. */
        public void leave() {
            synchronized (ConnectionLimit.this) {
                if (vacate()) {
                    shares.leave(peer);
                    said &= shares.taken() >= most - most / 10;
                }
            }
        }

        private void handOver(Place next, List<String> news) {
            closedIdle.event(count -> news.add("closed " + address + ", idle for "
                    + Duration.ofNanos(idleNanos()).toSeconds() + " s, in favor of " + next.address
                    + "; such connections so far: " + count));
            vacate();
            shares.handOver(peer, next.peer);
        }

        /** @return false if the place had already been left */
        private boolean vacate() {
            boolean first = !over;
            over = true;
            Standing standing = occupied.get(peer);
            if (standing != null && standing.places.remove(this) && standing.places.isEmpty()) {
                occupied.remove(peer);
            }
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

    /** Measures how long a connection has had no call in progress. Safe for use by several threads. */
    public static final class IdleTime {
        private final LongSupplier nanoTime;
        private int inProgress;
        private long since;

        /**
         * Starts with a new connection, which is idle.
         *
         * @param nanoTime the clock, like {@link System#nanoTime}
         */
        public IdleTime(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.since = nanoTime.getAsLong();
        }

        /** Called when a call has started. */
        public synchronized void started() {
            inProgress++;
        }

        /** Called when a call has completed. */
        public synchronized void completed() {
            inProgress--;
            since = nanoTime.getAsLong();
        }

        /** The time since the end of the last call, in nanoseconds; 0 while a call is in progress. */
        public synchronized long nanos() {
            return inProgress > 0 ? 0 : Math.max(0, nanoTime.getAsLong() - since);
        }
    }
}
