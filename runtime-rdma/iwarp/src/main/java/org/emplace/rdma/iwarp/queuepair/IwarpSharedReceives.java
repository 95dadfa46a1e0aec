// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.StreamException.TerminateCode;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.reactor.FifoQueue;
import org.emplace.reactor.Peer;
import org.jspecify.annotations.Nullable;

/**
 * A listener's shared receive queue. If it is empty, a connection that needs a Receive stops reading, and TCP flow control makes its sender wait. The
 * waiting {@linkplain Peer peers} take turns; of a peer's connections, the one that has waited longest gets the next Receive. Used by several loops. The queue lives as long as it has users: its listener, set-ups and
 * connections.
 */
public final class IwarpSharedReceives implements SharedReceiveQueue {
    private final int capacity;
    private final RdmaCounters counters;
    private final FifoQueue<ReceiveRequest> posted = new FifoQueue<>();
    /** The connections that wait, by their peers, and these in the order of their turns. */
    private final Map<Peer, FifoQueue<Taker>> waiting = new LinkedHashMap<>();

    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private int users = 1;

    /**
     * Creates an empty queue with one user, the listener.
     *
     * @param capacity the number of Receives that the consumer requested; only memory limits it here
     */
    public IwarpSharedReceives(int capacity, RdmaCounters counters) {
        this.capacity = capacity;
        this.counters = counters;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        Region.ofSink(receive.sink());
        counters.sharedReceivesPosted(1);
        offer(receive, false);
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    /** Adds a user. @return false if the queue has ended */
    public synchronized boolean join() {
        if (users == 0) {
            return false;
        }
        users++;
        return true;
    }

    /** Removes a user; the queue ends with the last one. */
    public void leave() {
        boolean over;
        synchronized (this) {
            over = --users == 0;
            if (over) {
                posted.clear();
            }
        }
        if (over) {
            closed.complete(null);
        }
    }

    /** Returns the view of the queue for a new connection, which is a user until its end. The queue must have another user during this call. */
    IwarpReceiveQueue takenBy(Peer peer, Executor loop, Consumer<ReceiveRequest> supplied) {
        if (!join()) {
            throw new IllegalStateException("the shared receive queue is over");
        }
        return new Taker(peer, loop, supplied);
    }

    private void offer(ReceiveRequest receive, boolean first) {
        Taker next;
        synchronized (this) {
            if (users == 0) {
                return;
            }
            next = nextWaiting();
            if (next == null && first) {
                posted.addFirst(receive);
            } else if (next == null) {
                posted.add(receive);
            }
        }
        if (next != null) {
            next.supply(receive);
        }
    }

    private synchronized @Nullable ReceiveRequest pollOrWait(Taker taker) {
        ReceiveRequest next = posted.poll();
        if (next == null) {
            waiting.computeIfAbsent(taker.peer, first -> new FifoQueue<>()).add(taker);
        }
        return next;
    }

    private synchronized @Nullable Taker nextWaiting() {
        Iterator<Map.Entry<Peer, FifoQueue<Taker>>> turns = waiting.entrySet().iterator();
        if (!turns.hasNext()) {
            return null;
        }
        Map.Entry<Peer, FifoQueue<Taker>> turn = turns.next();
        Peer peer = turn.getKey();
        FifoQueue<Taker> line = turn.getValue();
        turns.remove();
        Taker next = line.poll();
        if (!line.isEmpty()) {
            waiting.put(peer, line);
        }
        return next;
    }

    private synchronized void stopWaiting(Taker taker) {
        FifoQueue<Taker> line = waiting.get(taker.peer);
        if (line != null && line.remove(taker) && line.isEmpty()) {
            waiting.remove(taker.peer);
        }
    }

    /** One connection's side of the queue. */
    private final class Taker implements IwarpReceiveQueue {
        private final Peer peer;
        private final Executor loop;
        private final Consumer<ReceiveRequest> supplied;
        private boolean ended;

        Taker(Peer peer, Executor loop, Consumer<ReceiveRequest> supplied) {
            this.peer = peer;
            this.loop = loop;
            this.supplied = supplied;
        }

        @Override
        public @Nullable ReceiveRequest poll(boolean undelivered) {
            return pollOrWait(this);
        }

        /** Supplies a Receive; if the connection has ended in the meantime, to the next connection that waits. */
        void supply(ReceiveRequest receive) {
            loop.execute(() -> {
                if (ended) {
                    offer(receive, true);
                } else {
                    supplied.accept(receive);
                }
            });
        }

        @Override
        public List<ReceiveRequest> flush() {
            stopWaiting(this);
            if (!ended) {
                ended = true;
                leave();
            }
            return List.of();
        }
    }

    /** The source of one queue pair's Receives. Used on its loop; any thread may post. */
    interface IwarpReceiveQueue {

        /**
         * The receive queue of a connection.
         *
         * @param receives its private Receives or shared receive queue
         * @param peer the connection's peer
         * @param loop of the connection
         * @param supplied called on the loop with a Receive, after {@link #poll} found none
         */
        static IwarpReceiveQueue of(Receives receives, Peer peer, Executor loop, Consumer<ReceiveRequest> supplied) {
            if (receives instanceof IwarpSharedReceives shared) {
                return shared.takenBy(peer, loop, supplied);
            }
            return new Private(((Receives.Own) receives).first());
        }

        /**
         * Polls the Receive for a Send that begins.
         *
         * @param undelivered whether there are completions that the consumer has not got yet; it may post Receives when it gets them
         * @return the Receive; null if there is none now. A shared queue then supplies one as soon as it can. Ask a private queue again after the
         *     completions have been delivered
         * @throws StreamException if there is none and the Send cannot wait
         */
        @Nullable
        ReceiveRequest poll(boolean undelivered) throws StreamException;

        /** Called when the connection is over. Returns its unused Receives, which the caller completes. Later calls return none. */
        List<ReceiveRequest> flush();

        /** The Receives of a single queue pair. Posted on the calling thread, so a Send finds every Receive that was posted before it arrives. */
        final class Private implements IwarpReceiveQueue {
            private final Deque<ReceiveRequest> posted;
            private boolean ended;

            Private(List<ReceiveRequest> first) {
                posted = new ArrayDeque<>(first);
            }

            /** Posts a Receive. @return false if the connection has ended and the Receive is ignored */
            synchronized boolean post(ReceiveRequest receive) {
                return !ended && posted.add(receive);
            }

            @Override
            public synchronized @Nullable ReceiveRequest poll(boolean undelivered) throws StreamException {
                ReceiveRequest next = posted.poll();
                if (next == null && !undelivered) {
                    throw StreamException.violation(
                            TerminateCode.DDP_NO_BUFFER, "Send without a Receive posted for it");
                }
                return next;
            }

            @Override
            public synchronized List<ReceiveRequest> flush() {
                ended = true;
                List<ReceiveRequest> left = List.copyOf(posted);
                posted.clear();
                return left;
            }
        }
    }
}
