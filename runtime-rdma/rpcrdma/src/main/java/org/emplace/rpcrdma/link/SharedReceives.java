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
 * The Receives of a shared receive queue, and what its connections are promised of them. No more is promised than is posted: a connection
 * begins with one credit and gets more as it uses them, out of the first half of what the queue has room for; the other half is kept for
 * the first credits of connections to come, and for replies to this side's own calls. Safe for use by several threads.
 */
public final class SharedReceives implements AutoCloseable {
    /** Receives that nobody is promised: for messages that need no credit, and for peers that give calls up. */
    private static final int SPARE = 32;

    private final SharedReceiveQueue queue;
    private final ReceiveQueue buffers;
    private final int capacity;
    private int promised;

    /**
     * The Receives of a queue that is empty so far.
     *
     * @param pool where their memory comes from
     * @param size bytes of each
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for the first; none is held then
     */
    public SharedReceives(SharedReceiveQueue queue, RegisteredPool pool, int size) throws RdmaException {
        this.queue = queue;
        buffers = new ReceiveQueue(pool, size, queue::postReceive);
        int spare = Math.min(SPARE, queue.capacity() / 4);
        capacity = queue.capacity() - spare;
        try {
            buffers.promise(spare);
        } catch (RdmaException exhausted) {
            buffers.close();
            throw exhausted;
        }
    }

    /**
     * One more connection, with one credit.
     *
     * @param credits to grant it at most
     * @throws RdmaException with reason NO_RESOURCES if no Receive can be posted for it
     */
    public ConnectionReceives join(int credits) throws RdmaException {
        promise(1);
        return new Connection(credits);
    }

    private synchronized void promise(int more) throws RdmaException {
        if (promised + more > capacity) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES,
                    "all " + capacity + " Receives of the shared receive queue are promised to connections");
        }
        buffers.promise(more);
        promised += more;
    }

    private synchronized int promiseUpTo(int wanted) {
        int more = Math.min(wanted, capacity / 2 - promised);
        if (more <= 0) {
            return 0;
        }
        try {
            promise(more);
            return more;
        } catch (RdmaException exhausted) {
            System.getLogger(SharedReceives.class.getName())
                    .log(System.Logger.Level.WARNING, "no more credits for now: {0}", exhausted.getMessage());
            return 0;
        }
    }

    private synchronized void withdraw(int fewer) {
        promised -= fewer;
        buffers.withdraw(fewer);
    }

    /** The queue is over, and the provider is done with its memory: gives it back. Idempotent. */
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

        private synchronized int more(int wanted) {
            int more = over ? 0 : promiseUpTo(wanted);
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
        public synchronized void expectReply() throws RdmaException {
            if (!over) {
                promise(1);
                held++;
            }
        }

        @Override
        public synchronized void replyCame() {
            if (!over) {
                withdraw(1);
                held--;
            }
        }

        @Override
        public synchronized void disconnected() {
            over = true;
            withdraw(held);
            held = 0;
        }
    }
}
