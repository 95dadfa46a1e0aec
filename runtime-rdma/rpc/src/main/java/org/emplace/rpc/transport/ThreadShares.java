// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.emplace.rpc.RpcConnection;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls of a server get a thread, which wait for one, and which are rejected, so that calls whose
 * handlers hang leave threads and places in the queue for others. Two rules apply to both:
 *
 * <ul>
 *   <li>A peer (an IP address) gets one more only if at least a seventh of what it already has is left for others. A
 *       single peer can have seven eighths; later ones share the rest by the same rule, and a peer that has none may
 *       get the last one.
 *   <li>A connection leaves at least a quarter of the threads, rounded down, and at least two if there are three or
 *       more; of the queue it leaves a quarter, rounded down.
 * </ul>
 * Peers with waiting calls take turns. Of a peer's connections, the one with the fewest threads goes first; those with
 * equally many take turns. So a connection whose calls take long gets no second thread while others of its peer have
 * none. If a peer has all its places in the queue, a call of a connection with fewer waiting calls replaces the latest
 * call of the connection with the most. Safe for use by several threads.
 */
final class ThreadShares {
    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;

    private final int threads;
    private final int queue;
    private final boolean shared;
    private final int threadsOfConnection;
    private final int queueOfConnection;
    private final Map<InetAddress, Peer> peers = new HashMap<>();
    /** The peers with waiting calls, in the order of their turns. */
    private final Deque<Peer> line = new ArrayDeque<>();

    private int running;
    private int waiting;
    /** Objects of a peer without calls, kept for the next peer: otherwise a peer that makes one call at a time would need new ones for each call. */
    private @Nullable Peer idlePeer;

    private @Nullable Share idleShare;

    private final Function<InetAddress, Peer> newPeer = this::newPeer;
    private final Function<RpcConnection, Share> newShare = this::newShare;

    /**
     * Starts without calls.
     *
     * @param threads the most calls that run at a time
     * @param queue the most calls that wait at a time
     * @param shared whether several peers share the threads and the queue; if not, the rules do not apply
     */
    ThreadShares(int threads, int queue, boolean shared) {
        this.threads = threads;
        this.queue = queue;
        this.shared = shared;
        threadsOfConnection = shared ? Math.max(1, threads - Math.max(2, threads / 4)) : threads;
        queueOfConnection = shared ? queue - queue / 4 : queue;
    }

    /** The decisions about a call. */
    enum Admission {
        RUNS,
        WAITS,
        REFUSED
    }

    /** Decides about a new call. A call that waits is later returned by {@link #ended}. */
    synchronized Admission admit(ServerExchange call) {
        Peer peer = peers.computeIfAbsent(address(call.connection()), newPeer);
        Share share = peer.shares.computeIfAbsent(call.connection(), newShare);
        if (peer.mayRun() && share.mayRun()) {
            begin(peer, share);
            return Admission.RUNS;
        }
        if (peer.mayWait() && share.mayWait()) {
            enter(peer, share, call);
            return Admission.WAITS;
        }
        forgetIfIdle(call.connection(), peer, share);
        return Admission.REFUSED;
    }

    /**
     * Gives a rejected call the place of another call in the queue, so that the connections of one peer share its
     * places. The other call is the latest of the peer's connection with the most waiting calls, if these are more than
     * the rejected call's connection will have.
     *
     * @return the call that has lost its place and is to be rejected instead; null if there is none
     */
    synchronized @Nullable ServerExchange displaceFor(ServerExchange refused) {
        Peer peer = peers.get(address(refused.connection()));
        Share longest = peer == null ? null : peer.longest();
        if (peer == null || longest == null) {
            return null;
        }
        Share share = peer.shares.computeIfAbsent(refused.connection(), newShare);
        if (longest.waiting.size() <= share.waiting.size() + 1) {
            forgetIfIdle(refused.connection(), peer, share);
            return null;
        }
        ServerExchange displaced = longest.waiting.removeLast();
        waiting--;
        peer.waiting--;
        enter(peer, share, refused);
        return displaced;
    }

    /**
     * Called when a call has released its thread.
     *
     * @return the calls that now get a thread
     */
    synchronized List<ServerExchange> ended(ServerExchange call) {
        Peer peer = peers.get(address(call.connection()));
        Share share = peer == null ? null : peer.shares.get(call.connection());
        if (peer == null || share == null) {
            throw new IllegalStateException(call + " has no thread");
        }
        running--;
        peer.running--;
        share.running--;
        forgetIfIdle(call.connection(), peer, share);
        List<ServerExchange> starting = List.of();
        for (ServerExchange next = next(); next != null; next = next()) {
            if (starting.isEmpty()) {
                starting = new ArrayList<>(1);
            }
            starting.add(next);
        }
        return starting;
    }

    /** Removes and returns the waiting calls. */
    synchronized List<ServerExchange> takeWaiting() {
        List<ServerExchange> taken = new ArrayList<>();
        for (Peer peer : line) {
            for (Share share : peer.line) {
                taken.addAll(share.waiting);
                share.waiting.clear();
            }
            peer.line.clear();
            peer.waiting = 0;
        }
        line.clear();
        waiting = 0;
        return taken;
    }

    /** The number of calls that have a thread. */
    synchronized int running() {
        return running;
    }

    /** The number of calls that wait for a thread. */
    synchronized int waiting() {
        return waiting;
    }

    private static InetAddress address(RpcConnection connection) {
        return connection.remoteAddress().getAddress();
    }

    private void begin(Peer peer, Share share) {
        running++;
        peer.running++;
        share.running++;
    }

    private void enter(Peer peer, Share share, ServerExchange call) {
        if (peer.waiting == 0) {
            line.add(peer);
        }
        if (share.waiting.isEmpty()) {
            peer.line.add(share);
        }
        waiting++;
        peer.waiting++;
        share.waiting.add(call);
    }

    private void forgetIfIdle(RpcConnection connection, Peer peer, Share share) {
        if (share.running == 0 && share.waiting.isEmpty()) {
            peer.shares.remove(connection);
            idleShare = share;
            if (peer.shares.isEmpty()) {
                peers.remove(address(connection));
                idlePeer = peer;
            }
        }
    }

    private Peer newPeer(InetAddress first) {
        Peer idle = idlePeer;
        idlePeer = null;
        return idle == null ? new Peer() : idle;
    }

    private Share newShare(RpcConnection first) {
        Share idle = idleShare;
        idleShare = null;
        return idle == null ? new Share() : idle;
    }

    /** Skips only peers that have threads, so the search takes no more steps than there are threads. */
    private @Nullable ServerExchange next() {
        if (line.isEmpty()) {
            return null;
        }
        for (Iterator<Peer> turns = line.iterator(); running < threads && turns.hasNext(); ) {
            Peer peer = turns.next();
            Share share = peer.mayRun() ? peer.next() : null;
            if (share != null) {
                turns.remove();
                return start(peer, share);
            }
        }
        return null;
    }

    /** Starts a call. The peer and the share have been removed from their lines. */
    private ServerExchange start(Peer peer, Share share) {
        ServerExchange call = share.waiting.remove();
        waiting--;
        peer.waiting--;
        begin(peer, share);
        if (!share.waiting.isEmpty()) {
            peer.line.add(share);
        }
        if (peer.waiting > 0) {
            line.add(peer);
        }
        return call;
    }

    /**
     * Whether a peer that has {@code held} threads or places may get one more, which leaves {@code left} for others.
     */
    private boolean leavesEnough(int held, int left) {
        return left >= 0 && (!shared || held <= TIMES_WHAT_A_PEER_LEAVES * left);
    }

    /** The threads and waiting calls of one peer's connections. */
    private final class Peer {
        private final Map<RpcConnection, Share> shares = new HashMap<>(2);
        /** The connections with waiting calls, in the order of their turns. */
        private final Deque<Share> line = new ArrayDeque<>(1);

        private int running;
        private int waiting;

        boolean mayRun() {
            return leavesEnough(running, threads - ThreadShares.this.running - 1);
        }

        boolean mayWait() {
            return leavesEnough(waiting, queue - ThreadShares.this.waiting - 1);
        }

        /** The connection with the most waiting calls; null if none waits. */
        @Nullable
        Share longest() {
            Share longest = null;
            for (Share share : line) {
                if (longest == null || share.waiting.size() > longest.waiting.size()) {
                    longest = share;
                }
            }
            return longest;
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
        private final Deque<ServerExchange> waiting = new ArrayDeque<>(1);
        private int running;

        boolean mayRun() {
            return running < threadsOfConnection;
        }

        boolean mayWait() {
            return waiting.size() < queueOfConnection;
        }
    }
}
