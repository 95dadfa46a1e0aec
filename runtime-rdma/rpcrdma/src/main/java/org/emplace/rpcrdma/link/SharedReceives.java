// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

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
 * of connections to come, and for replies to this side's own calls. Safe for use by several threads.
 */
public final class SharedReceives implements AutoCloseable {
    /** Receives that nobody is promised: for messages that need no credit, and for peers that give calls up. */
    private static final int SPARE = 32;

    private final SharedReceiveQueue queue;
    private final ReceiveQueue buffers;
    /** Receives that may be promised for the sake of further credits. */
    private final int forCredits;

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
     * @param credits to grant it at most
     * @throws RdmaException with reason NO_RESOURCES if no Receive can be posted for it
     */
    public ConnectionReceives join(int credits) throws RdmaException {
        buffers.promise(1);
        return new Connection(credits);
    }

    /** The queue is over, and the provider no longer uses its memory: gives it back. Idempotent. */
    @Override
    public void close() {
        buffers.close();
    }

    /** What one connection has been promised. */
    private final class Connection implements ConnectionReceives {
        private final CallCredits credits;
        private int held = 1;
        private boolean over;

        Connection(int limit) {
            credits = new CallCredits(1, limit, this::more);
        }

        private int more(int wanted) {
            int more = Math.min(wanted, forCredits - buffers.promised());
            return more <= 0 ? 0 : hold(buffers.promiseIfPossible(more));
        }

        /** Notes what has been promised to this connection; nothing can be any more when it is over. */
        private synchronized int hold(int more) {
            if (over) {
                buffers.withdraw(more);
                return 0;
            }
            held += more;
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
            }
        }

        @Override
        public synchronized void disconnected() {
            over = true;
            buffers.withdraw(held);
            held = 0;
        }
    }
}
