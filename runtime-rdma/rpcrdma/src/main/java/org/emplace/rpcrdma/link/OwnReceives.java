// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.Receives;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The Receives of one connection alone: a few for the peer's first calls, further ones as its credits grow, and one for each expected reply. A
 * connection that is hardly used holds hardly any memory. Safe for use by several threads.
 */
public final class OwnReceives implements ConnectionReceives {
    /** Calls that the peer may make before it gets a grant: Linux's backchannel makes two. */
    private static final int FIRST_CALLS = 2;

    private final List<ReceiveRequest> first = new ArrayList<>();
    private final ReceiveQueue queue;
    private final CallCredits credits;
    private final int capacity;
    private volatile @Nullable QueuePair connection;

    /**
     * Receives for a connection that is not established yet.
     *
     * @param pool where their memory comes from
     * @param size bytes of each
     * @param calls of the peer in flight at most
     * @param replies that this side can expect at a time
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for the first; none is held then
     */
    public OwnReceives(RegisteredPool pool, int size, int calls, int replies) throws RdmaException {
        capacity = calls + replies;
        queue = new ReceiveQueue(pool, size, capacity, this::post);
        int firstCalls = Math.min(FIRST_CALLS, calls);
        credits = new CallCredits(firstCalls, calls, queue::promiseIfPossible);
        queue.promise(firstCalls);
    }

    private void post(ReceiveRequest receive) {
        QueuePair standing = connection;
        if (standing == null) {
            first.add(receive);
        } else {
            standing.postReceive(receive);
        }
    }

    @Override
    public Receives receives() {
        return new Receives.Own(first, capacity);
    }

    @Override
    public CallCredits credits() {
        return credits;
    }

    @Override
    public void established(QueuePair standing) {
        connection = standing;
    }

    @Override
    public @Nullable ReceivedMessage completed(Completion receive) {
        return queue.completed(receive);
    }

    @Override
    public void expectReply() throws RdmaException {
        queue.promise(1);
    }

    @Override
    public void replyCame() {
        queue.withdraw(1);
    }

    @Override
    public void disconnected() {
        queue.close();
    }
}
