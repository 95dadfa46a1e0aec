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

/** Receives that one connection alone takes from: all that its credits can ever need, from the start. */
public final class OwnReceives implements ConnectionReceives {
    private final List<ReceiveRequest> first = new ArrayList<>();
    private final ReceiveQueue queue;
    private final CallCredits credits;
    private volatile @Nullable QueuePair connection;

    /**
     * Receives for a connection that does not stand yet.
     *
     * @param pool where their memory comes from
     * @param size bytes of each
     * @param calls of the peer in flight at most
     * @param replies that this side can expect at a time
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for them; none is held then
     */
    public OwnReceives(RegisteredPool pool, int size, int calls, int replies) throws RdmaException {
        queue = new ReceiveQueue(pool, size, this::post);
        credits = new CallCredits(calls, calls, wanted -> 0);
        try {
            queue.promise(calls + replies);
        } catch (RdmaException exhausted) {
            queue.close();
            throw exhausted;
        }
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
        return new Receives.Own(first);
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
    public void expectReply() {}

    @Override
    public void replyCame() {}

    @Override
    public void disconnected() {
        queue.close();
    }
}
