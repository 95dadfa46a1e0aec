// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.HashMap;
import java.util.Map;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.AddressShares;
import org.emplace.reactor.Peer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The Receives of a shared receive queue, and the promises to its connections, which never exceed the posted Receives.
 * A connection starts with one credit and gets more as it uses them, from the first half of the queue's capacity, or
 * less if the pool is small: what is granted has to fit there together with its replies. Then a connection has at most a
 * thirty-second of them, or eight, and an eighth is left for second credits, so that many connections have more than one. The rest is
 * reserved for the first credits of later connections, and for replies to this side's own calls. A {@linkplain Peer peer}
 * gets more credits only if at least a seventh of the Receives promised to it is left for others: a grant never falls, so
 * the credits of idle connections cannot be taken back. Safe for use by several threads.
 */
public final class SharedReceives implements AutoCloseable {
    /** Receives that are not promised: for messages that need no credit, and for peers that give up calls. */
    private static final int SPARE = 32;

    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;

    /**
     * The part of the pool for Receives of further credits. A call that holds a credit can need five buffers of this size: its Receive, the
     * Receive of the next call, and, of a second call that a peer may make in its place, also a Receive, and the replies to both.
     */
    private static final int PART_FOR_CREDITS = 32;

    /** The part of these credits that one connection has at most if the pool is small. */
    private static final int PART_FOR_ONE = 32;

    private static final int LEAST_FOR_ONE = 8;

    /** The part of these credits that is left for second credits if the pool is small. */
    private static final int PART_FOR_SECOND = 8;

    /** The part of the pool that has as many buffers as there are places for late answers; each can need two. */
    private static final int PART_FOR_LATE_ANSWERS = 64;

    private static final int LEAST_LATE_ANSWERS = 64;

    private final SharedReceiveQueue queue;
    private final ReceiveQueue buffers;
    /** The number of promised Receives up to which further credits are granted. */
    private final int forCredits;
    /** The most credits of one connection. */
    private final int mostOfOne;
    /** How many of the Receives for further credits are left for second credits. */
    private final int forSecond;
    /** What the connections of each peer have been promised. */
    private final Map<Peer, Integer> heldByPeer = new HashMap<>();
    /** The answers that are on their way beyond twice the grants of their connections. */
    private final AddressShares lateAnswers;

    /** The number of Receives that are not promised to a connection. */
    private final int spare;

    private boolean hasSpare;

    /**
     * Creates the Receives of a queue to which nothing has been posted. The first connection that joins has them posted.
     *
     * @param pool provides the memory
     * @param size length of each Receive in bytes
     */
    public SharedReceives(SharedReceiveQueue queue, RegisteredPool pool, int size) {
        this.queue = queue;
        buffers = new ReceiveQueue(pool, size, queue.capacity(), queue::postReceive);
        spare = Math.min(SPARE, queue.capacity() / 4);
        long inPool = pool.limit() / size;
        int ofQueue = (queue.capacity() - spare) / 2;
        int ofPool = (int) Math.min(ofQueue, inPool / PART_FOR_CREDITS);
        forCredits = spare + ofPool;
        mostOfOne = ofPool < ofQueue ? Math.max(LEAST_FOR_ONE, ofPool / PART_FOR_ONE) : Integer.MAX_VALUE;
        forSecond = ofPool < ofQueue ? ofPool / PART_FOR_SECOND : 0;
        lateAnswers = new AddressShares(
                (int) Math.max(LEAST_LATE_ANSWERS, Math.min(queue.capacity(), inPool / PART_FOR_LATE_ANSWERS)));
    }

    /**
     * Adds a connection with one credit.
     *
     * @param peer the connection's peer
     * @param credits the most credits to grant it
     * @throws RdmaException with reason NO_RESOURCES if no Receive can be posted for it
     */
    public ConnectionReceives join(Peer peer, int credits) throws RdmaException {
        promiseSpare();
        buffers.promise(1);
        note(peer, 1);
        return new Connection(peer, credits);
    }

    /** If it fails in the middle, the next connection has the rest posted. */
    private synchronized void promiseSpare() throws RdmaException {
        if (!hasSpare) {
            buffers.promise(spare);
            hasSpare = true;
        }
    }

    private synchronized void note(Peer peer, int more) {
        heldByPeer.compute(peer, (same, held) -> {
            int now = (held == null ? 0 : held) + more;
            return now == 0 ? null : now;
        });
    }

    /**
     * How many of the wanted Receives a connection may be promised for further credits; not positive if none.
     *
     * @param held what the connection has been promised
     */
    private synchronized int allowed(Peer peer, int held, int wanted) {
        int left = forCredits - buffers.promised();
        int ofPeer = heldByPeer.getOrDefault(peer, 0);
        int most = Math.min(wanted, (TIMES_WHAT_A_PEER_LEAVES * left - ofPeer) / (TIMES_WHAT_A_PEER_LEAVES + 1));
        if (left > forSecond) {
            return Math.min(most, mostOfOne - held);
        }
        return held == 1 ? Math.min(most, 1) : 0;
    }

    /** Called when the queue is closed and the provider no longer accesses its memory: releases it. Idempotent. */
    @Override
    public void close() {
        buffers.close();
    }

    /** The Receives promised to one connection. */
    private final class Connection implements ConnectionReceives, GrantedCredits.LateAnswers {
        private final Peer peer;
        private final GrantedCredits credits;
        private int held = 1;
        private boolean over;

        Connection(Peer peer, int limit) {
            this.peer = peer;
            credits = new GrantedCredits(1, limit, this::more, this);
        }

        @Override
        public boolean enter() {
            return lateAnswers.enter(peer);
        }

        @Override
        public void leave() {
            lateAnswers.leave(peer);
        }

        private int more(int wanted) {
            int more = allowed(peer, held(), wanted);
            return more <= 0 ? 0 : hold(buffers.promiseIfPossible(more));
        }

        private synchronized int held() {
            return held;
        }

        /** Adds promises to this connection, or withdraws them if it is over. Returns the number added. */
        private synchronized int hold(int more) {
            if (over) {
                buffers.withdraw(more);
                return 0;
            }
            held += more;
            note(peer, more);
            return more;
        }

        @Override
        public Receives receives() {
            return queue;
        }

        @Override
        public GrantedCredits credits() {
            return credits;
        }

        @Override
        public void established(QueuePair connection) {}

        @Override
        public @Nullable ReceivedMessage completed(Completion receive) {
            return buffers.completed(receive);
        }

        @Override
        public void expectReply() throws RdmaException {
            buffers.promise(1);
            hold(1);
        }

        @Override
        public synchronized void replyCame() {
            if (!over) {
                buffers.withdraw(1);
                held--;
                note(peer, -1);
            }
        }

        @Override
        public void disconnected() {
            synchronized (this) {
                over = true;
                buffers.withdraw(held);
                note(peer, -held);
                held = 0;
            }
            credits.disconnected();
        }
    }
}
