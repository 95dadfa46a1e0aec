// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.emplace.reactor.FifoQueue;
import org.emplace.reactor.Peer;
import org.emplace.rpc.RpcConnection;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls of a server get a thread and which wait for one, so that calls whose handlers hang leave threads
 * for others. Three rules apply:
 *
 * <ul>
 *   <li>A {@linkplain Peer peer} gets one more thread only if at least a seventh of what it already has is left for
 *       others. A single peer can have seven eighths; later ones share the rest by the same rule, and a peer that has
 *       none may get the last one.
 *   <li>A connection leaves at least a quarter of the threads, rounded down, and at least two if there are three or
 *       more.
 *   <li>A peer whose calls hold their threads for less than half a millisecond on average gets no more threads than there are
 *       processors, and at least two. More would not make its calls faster, but other callers' threads would wait for a processor. If none of its
 *       calls ends between two {@linkplain #check checks}, they may be blocked, and the rule does not apply until they are short again.
 * </ul>
 * Peers with waiting calls take turns. Of a peer's connections, the one with the fewest threads goes first; those with
 * equally many take turns. So a connection whose calls take long gets no second thread while others of its peer have
 * none. The credits of the connections bound the waiting calls. Safe for use by several threads.
 */
final class ThreadShares {
    /** While a peer's calls wait for longer than this before they start, no grant of its connections should grow: a sixth of the time after which Linux gives up a connection. */
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long TIMES_WHAT_A_PEER_LEAVES = 7;

    /** Calls that hold their threads for less than this on average are short. */
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** A call that holds its thread for longer counts as much as one of this time: else a single one would count for too long. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How many calls an average is of: the latest counts one part in so many. */
    private static final int AVERAGED = 16;

    private static final int LEAST_FOR_SHORT_CALLS = 2;

    private final int threads;
    private final boolean shared;
    private final int threadsForShortCalls;
    private final int threadsOfConnection;
    private final LongSupplier nanoTime;
    private final Map<Peer, PeerShare> peers = new HashMap<>();
    /** The peers with waiting calls, in the order of their turns. */
    private final FifoQueue<PeerShare> line = new FifoQueue<>();

    private int running;
    private int waiting;
    /** Whether a {@link #check} will come. */
    private boolean checking;
    /** The last connection that had no more calls. Its share is kept: a connection that makes one call at a time would need a new one for each. */
    private @Nullable RpcConnection idle;

    private @Nullable Peer peerOfIdle;

    private final Function<Peer, PeerShare> newPeer = this::newPeer;
    private final Function<RpcConnection, Share> newShare = this::newShare;

    /**
     * Starts without calls.
     *
     * @param threads the most calls that run at a time
     * @param shared whether several peers share the threads; if not, the rules do not apply
     * @param processors how many there are for these threads
     * @param nanoTime the clock, like {@link System#nanoTime}
     */
    ThreadShares(int threads, boolean shared, int processors, LongSupplier nanoTime) {
        this.threads = threads;
        this.shared = shared;
        this.threadsForShortCalls = Math.max(LEAST_FOR_SHORT_CALLS, processors);
        this.nanoTime = nanoTime;
        threadsOfConnection = shared ? Math.max(1, threads - Math.max(2, threads / 4)) : threads;
    }

    /**
     * Adds a call.
     *
     * @return whether the call gets a thread now; if not, it waits, and {@link #leave} returns it later
     */
    synchronized boolean admit(ServerExchange call) {
        PeerShare peer = peers.computeIfAbsent(call.peer(), newPeer);
        Share share = peer.shares.computeIfAbsent(call.connection(), newShare);
        if (peer.mayRun() && share.mayRun()) {
            count(peer, share);
            return true;
        }
        addWaiting(peer, share, call);
        return false;
    }

    /**
     * Called when a call has released its thread.
     *
     * @param nanos how long it had the thread, in nanoseconds
     * @return a call that now gets a thread, after which there may be a {@link #next}; null if there is none
     */
    synchronized @Nullable ServerExchange leave(ServerExchange call, long nanos) {
        PeerShare peer = peers.get(call.peer());
        Share share = peer == null ? null : peer.shares.get(call.connection());
        if (peer == null || share == null) {
            throw new IllegalStateException(call + " has no thread");
        }
        running--;
        peer.running--;
        peer.ended++;
        peer.averageNanos += (Math.min(nanos, LONGEST_NANOS) - peer.averageNanos) / AVERAGED;
        share.running--;
        if (share.isIdle() && call.connection() != idle) {
            forgetIdle();
            idle = call.connection();
            peerOfIdle = call.peer();
        }
        return next();
    }

    /**
     * Ends the rule for short calls for peers of which no call has ended since the last check: these may be blocked. A {@link #next} may follow.
     *
     * @return whether the rule still keeps calls waiting, so that another check is needed
     */
    synchronized boolean check() {
        boolean isNeeded = false;
        for (PeerShare peer : line) {
            if (peer.isHeldBack() && peer.ended == 0) {
                peer.averageNanos = LONGEST_NANOS;
            }
            peer.ended = 0;
            isNeeded |= peer.isHeldBack();
        }
        checking = isNeeded;
        return isNeeded;
    }

    /** Whether a {@link #check} is needed in a while, and has not been asked for yet. */
    synchronized boolean needsCheck(ServerExchange waiting) {
        PeerShare peer = checking ? null : peers.get(waiting.peer());
        checking |= peer != null && peer.isHeldBack();
        return peer != null && checking;
    }

    /** Called when no check will come, although one was asked for. */
    synchronized void checkFailed() {
        checking = false;
    }

    /** Removes and returns a waiting call; null if there is none. */
    synchronized @Nullable ServerExchange removeWaiting() {
        PeerShare peer = line.peek();
        return peer == null ? null : removeWaiting(peer, peer.line.element());
    }

    /** Removes and returns a waiting call of one connection; null if there is none. */
    synchronized @Nullable ServerExchange removeWaiting(RpcConnection connection) {
        if (connection == idle) {
            forgetIdle();
        }
        Peer of = Peer.of(connection.remoteAddress().getAddress());
        PeerShare peer = peers.get(of);
        Share share = peer == null ? null : peer.shares.get(connection);
        if (peer == null || share == null || share.waiting.isEmpty()) {
            return null;
        }
        ServerExchange taken = removeWaiting(peer, share);
        forgetIfIdle(of, connection);
        return taken;
    }

    private ServerExchange removeWaiting(PeerShare peer, Share share) {
        ServerExchange taken = share.waiting.remove().exchange;
        waiting--;
        peer.waiting--;
        if (share.waiting.isEmpty()) {
            peer.line.remove(share);
        }
        if (peer.waiting == 0) {
            line.remove(peer);
        }
        return taken;
    }

    /** The time of the clock that measures how long calls have threads. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** The number of calls that have a thread. */
    synchronized int running() {
        return running;
    }

    /** The number of calls that wait for a thread. */
    synchronized int waiting() {
        return waiting;
    }

    /** The time for which the oldest of the waiting calls has waited, in nanoseconds; 0 if none waits. */
    synchronized long longestWaitNanos() {
        long now = nanoTime.getAsLong();
        long longest = 0;
        for (PeerShare peer : line) {
            for (Share share : peer.line) {
                longest = Math.max(longest, now - share.waiting.element().since);
            }
        }
        return longest;
    }

    /** Whether the calls of a peer wait so long for a thread that its connections should not get more credits. */
    synchronized boolean isSlow(Peer of) {
        PeerShare peer = peers.get(of);
        return peer != null && peer.waiting > 0 && peer.lastWaitNanos > LONG_WAIT_NANOS;
    }

    private void count(PeerShare peer, Share share) {
        running++;
        peer.running++;
        share.running++;
    }

    private void addWaiting(PeerShare peer, Share share, ServerExchange call) {
        Waiting last = new Waiting(call, nanoTime.getAsLong());
        try {
            share.waiting.add(last);
            if (share.waiting.size() == 1) {
                peer.line.add(share);
            }
            if (peer.waiting == 0) {
                line.add(peer);
            }
        } catch (RuntimeException | Error broken) {
            share.waiting.remove(last);
            if (share.waiting.isEmpty()) {
                peer.line.remove(share);
            }
            forgetIfIdle(call.peer(), call.connection());
            throw broken;
        }
        waiting++;
        peer.waiting++;
    }

    private PeerShare newPeer(Peer first) {
        return new PeerShare();
    }

    private Share newShare(RpcConnection first) {
        return new Share();
    }

    private void forgetIdle() {
        if (idle != null && peerOfIdle != null) {
            forgetIfIdle(peerOfIdle, idle);
        }
        idle = null;
        peerOfIdle = null;
    }

    private void forgetIfIdle(Peer of, RpcConnection connection) {
        PeerShare peer = peers.get(of);
        Share share = peer == null ? null : peer.shares.get(connection);
        if (peer != null && share != null && share.isIdle()) {
            peer.shares.remove(connection);
            if (peer.shares.isEmpty()) {
                peers.remove(of);
            }
        }
    }

    /** Gives a waiting call a thread; null if none may have one. Skips only peers that have threads, so the search takes no more steps than there are threads. */
    synchronized @Nullable ServerExchange next() {
        if (line.isEmpty()) {
            return null;
        }
        for (Iterator<PeerShare> turns = line.iterator(); running < threads && turns.hasNext(); ) {
            PeerShare peer = turns.next();
            Share share = peer.mayRun() ? peer.next() : null;
            if (share != null) {
                turns.remove();
                return start(peer, share);
            }
        }
        return null;
    }

    /** Starts a call. The peer and the share have been removed from their lines. */
    private ServerExchange start(PeerShare peer, Share share) {
        Waiting call = share.waiting.remove();
        peer.lastWaitNanos = nanoTime.getAsLong() - call.since;
        waiting--;
        peer.waiting--;
        count(peer, share);
        if (!share.waiting.isEmpty()) {
            peer.line.add(share);
        }
        if (peer.waiting > 0) {
            line.add(peer);
        }
        return call.exchange;
    }

    /** A call that waits for a thread, and when it began to wait. */
    private record Waiting(ServerExchange exchange, long since) {}

    /** The threads and waiting calls of one peer's connections. */
    private final class PeerShare {
        private final Map<RpcConnection, Share> shares = new HashMap<>(2);
        /** The connections with waiting calls, in the order of their turns. */
        private final FifoQueue<Share> line = new FifoQueue<>();

        private int running;
        private int waiting;
        /** How many calls have ended since the last {@link #check}. */
        private int ended;
        /** How long its latest calls had their threads. The first ones may be long. */
        private long averageNanos = LONGEST_NANOS;
        /** How long the call waited that was the last to start after waiting. */
        private long lastWaitNanos;

        boolean mayRun() {
            int left = threads - ThreadShares.this.running - 1;
            return left >= 0 && (!shared || (running <= TIMES_WHAT_A_PEER_LEAVES * left && !isHeldBack()));
        }

        /** Whether its calls are short, and have as many threads as there are processors. */
        boolean isHeldBack() {
            return shared && running >= threadsForShortCalls && averageNanos < SHORT_NANOS;
        }

        /**
         * Removes and returns the connection with the fewest threads whose calls may run, of several the first; null if
         * there is none. Looks no further than the first connection without threads, so at no more connections than
         * there are threads, and one.
         */
        @Nullable
        Share next() {
            Share next = null;
            for (Share share : line) {
                if (share.mayRun() && (next == null || share.running < next.running)) {
                    next = share;
                }
                if (share.running == 0) {
                    break;
                }
            }
            if (next != null) {
                line.remove(next);
            }
            return next;
        }
    }

    /** The threads and waiting calls of one connection. */
    private final class Share {
        private final FifoQueue<Waiting> waiting = new FifoQueue<>();
        private int running;

        boolean mayRun() {
            return running < threadsOfConnection;
        }

        boolean isIdle() {
            return running == 0 && waiting.isEmpty();
        }
    }
}
