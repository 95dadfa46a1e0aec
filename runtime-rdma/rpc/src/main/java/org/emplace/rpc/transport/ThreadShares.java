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
import org.emplace.rpc.RpcConnection;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of a server's calls get a thread, which wait for one, and which are refused, so that calls that are stuck leave threads and
 * places in the queue to others. Two rules hold for both:
 *
 * <ul>
 *   <li>A peer, that is an IP address, takes one more only if it leaves others at least a seventh of what it has already. One peer alone can
 *       have seven eighths; those who come later share the rest by the same rule, and one who has nothing may have the last.
 *   <li>A connection leaves at least a quarter of the threads, rounded down, and at least two if there are three or more; of the queue it
 *       leaves a quarter, rounded down.
 * </ul>
 *
 * Peers with calls that wait take turns, and so do the connections of a peer. Where a peer has all the places in the queue that it may have, a connection
 * with fewer calls in it takes the place of another's latest. Safe for use by several threads.
 */
final class ThreadShares {
    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;

    private final int threads;
    private final int queue;
    private final boolean shared;
    private final int threadsOfConnection;
    private final int queueOfConnection;
    private final Map<InetAddress, Peer> peers = new HashMap<>();
    /** The peers with calls that wait, the one whose turn it is first. */
    private final Deque<Peer> line = new ArrayDeque<>();

    private int running;
    private int waiting;
    /** Of a peer that has no calls any more, for the next one that has: who makes one call at a time would need new ones for each. */
    private @Nullable Peer idlePeer;

    private @Nullable Share idleShare;

    /**
     * Nothing is held yet.
     *
     * @param threads calls that run at a time
     * @param queue calls that wait at a time
     * @param shared whether several peers share them; else everything is for whoever comes
     */
    ThreadShares(int threads, int queue, boolean shared) {
        this.threads = threads;
        this.queue = queue;
        this.shared = shared;
        threadsOfConnection = shared ? Math.max(1, threads - Math.max(2, threads / 4)) : threads;
        queueOfConnection = shared ? queue - queue / 4 : queue;
    }

    /** What happens to a call. */
    enum Admission {
        RUNS,
        WAITS,
        REFUSED
    }

    /** Takes a call in; {@link #ended} gives out one that waits. */
    synchronized Admission admit(ServerExchange call) {
        Peer peer = peers.computeIfAbsent(address(call.connection()), first -> newPeer());
        Share share = peer.shares.computeIfAbsent(call.connection(), first -> newShare());
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
     * Gives a call that was refused the place in the queue of another of the same peer, so that connections of one address share its places too: of
     * the call that came last on the connection that has the most waiting, if that has more than the refused call's will have.
     *
     * @return the call that has lost its place and is to be refused instead; null if none has
     */
    synchronized @Nullable ServerExchange displaceFor(ServerExchange refused) {
        Peer peer = peers.get(address(refused.connection()));
        Share longest = peer == null ? null : peer.longest();
        if (peer == null || longest == null) {
            return null;
        }
        Share share = peer.shares.computeIfAbsent(refused.connection(), first -> newShare());
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
     * A call has left its thread.
     *
     * @return the calls that get a thread now
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

    /** Takes out the calls that wait. */
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

    /** How many calls have a thread. */
    synchronized int running() {
        return running;
    }

    /** How many calls wait for one. */
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

    private Peer newPeer() {
        Peer idle = idlePeer;
        idlePeer = null;
        return idle == null ? new Peer() : idle;
    }

    private Share newShare() {
        Share idle = idleShare;
        idleShare = null;
        return idle == null ? new Share() : idle;
    }

    /** Only peers that have threads are passed over, so the search is no longer than there are threads. */
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

    /** Both have been taken out of their lines. */
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

    /** Whether a peer that has {@code held} of something may take one more, which leaves {@code left} to others. */
    private boolean leavesEnough(int held, int left) {
        return left >= 0 && (!shared || held <= TIMES_WHAT_A_PEER_LEAVES * left);
    }

    /** What the connections of one address have. */
    private final class Peer {
        private final Map<RpcConnection, Share> shares = new HashMap<>(2);
        /** The connections with calls that wait, the one whose turn it is first. */
        private final Deque<Share> line = new ArrayDeque<>(1);

        private int running;
        private int waiting;

        boolean mayRun() {
            return leavesEnough(running, threads - ThreadShares.this.running - 1);
        }

        boolean mayWait() {
            return leavesEnough(waiting, queue - ThreadShares.this.waiting - 1);
        }

        /** The connection with the most calls that wait; null if none waits. */
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

        /** Removes from the line the next connection whose calls may run; null if there is none. */
        @Nullable
        Share next() {
            for (Iterator<Share> turns = line.iterator(); turns.hasNext(); ) {
                Share share = turns.next();
                if (share.mayRun()) {
                    turns.remove();
                    return share;
                }
            }
            return null;
        }
    }

    /** What one connection has. */
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
