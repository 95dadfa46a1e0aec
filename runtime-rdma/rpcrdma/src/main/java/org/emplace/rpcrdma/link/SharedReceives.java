// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.emplace.rdma.SharedReceiveQueue;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The Receives of a shared receive queue, and how many of them its connections are promised. No more is promised than is posted: a connection begins
 * with one credit and gets more as it uses them, out of the first half of what the queue has room for; the other half is kept for the first credits
 * of connections to come, and for replies to this side's own calls. A peer, that is an IP address, gets more credits only if it leaves others at least a
 * seventh of the Receives that it has been promised: a grant never falls, so those of connections that have become idle are not to be had back. Safe
 * for use by several threads.
 */
public final class SharedReceives implements AutoCloseable {
    /** Receives that nobody is promised: for messages that need no credit, and for peers that give calls up. */
    private static final int SPARE = 32;

    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;

    private final SharedReceiveQueue queue;
    private final ReceiveQueue buffers;
    /** Receives that may be promised for the sake of further credits. */
    private final int forCredits;
    /** What the connections of each peer have been promised. */
    private final Map<InetAddress, Integer> heldByPeer = new HashMap<>();

    /**
     * The Receives of a queue that is empty so far.
     *
     * @param pool where their memory comes from
     * @param size bytes of each
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for the first; none is held then
     */
    public SharedReceives(SharedReceiveQueue queue, RegisteredPool pool, int size) throws RdmaException {
        this.queue = queue;
        buffers = new ReceiveQueue(pool, size, queue.capacity(), queue::postReceive);
        int spare = Math.min(SPARE, queue.capacity() / 4);
        forCredits = spare + (queue.capacity() - spare) / 2;
        buffers.promise(spare);
    }

    /**
     * One more connection, with one credit.
     *
     * @param peer the IP address that it comes from
     * @param credits to grant it at most
     * @throws RdmaException with reason NO_RESOURCES if no Receive can be posted for it
     */
    public ConnectionReceives join(InetAddress peer, int credits) throws RdmaException {
        buffers.promise(1);
        note(peer, 1);
        return new Connection(peer, credits);
    }

    private synchronized void note(InetAddress peer, int more) {
        heldByPeer.compute(peer, (same, held) -> {
            int now = (held == null ? 0 : held) + more;
            return now == 0 ? null : now;
        });
    }

    /** How many of the wanted Receives a peer may be promised for further credits; not positive if none. */
    private synchronized int allowed(InetAddress peer, int wanted) {
        int left = forCredits - buffers.promised();
        int held = heldByPeer.getOrDefault(peer, 0);
        return Math.min(wanted, (TIMES_WHAT_A_PEER_LEAVES * left - held) / (TIMES_WHAT_A_PEER_LEAVES + 1));
    }

    /** The queue is over, and the provider no longer uses its memory: gives it back. Idempotent. */
    @Override
    public void close() {
        buffers.close();
    }

    /** What one connection has been promised. */
    private final class Connection implements ConnectionReceives {
        private final InetAddress peer;
        private final CallCredits credits;
        private int held = 1;
        private boolean over;

        Connection(InetAddress peer, int limit) {
            this.peer = peer;
            credits = new CallCredits(1, limit, this::more);
        }

        private int more(int wanted) {
            int more = allowed(peer, wanted);
            return more <= 0 ? 0 : hold(buffers.promiseIfPossible(more));
        }

        /** Notes what has been promised to this connection; nothing can be any more when it is over. */
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
        public CallCredits credits() {
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
        public synchronized void disconnected() {
            over = true;
            buffers.withdraw(held);
            note(peer, -held);
            held = 0;
        }
    }
}
