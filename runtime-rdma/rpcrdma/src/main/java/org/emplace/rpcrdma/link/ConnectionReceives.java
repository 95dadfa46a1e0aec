// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The Receives for the messages of one connection's peer, and the credits of the peer's calls. Safe for use by several
 * threads.
 */
public interface ConnectionReceives {

    /** The Receives for connecting or accepting. */
    Receives receives();

    /** The credits of the peer's calls. */
    GrantedCredits credits();

    /** Called when the connection is established: from now on Receives can be posted on it. */
    void established(QueuePair connection);

    /** Returns the message that a Receive has received; null if there is none. The caller releases the message. */
    @Nullable
    ReceivedMessage completed(Completion receive);

    /**
     * Provides a Receive for the reply to a call of this side that is about to be sent.
     *
     * @throws RdmaException with reason NO_RESOURCES if no Receive can be posted
     */
    void expectReply() throws RdmaException;

    /** Called when the reply has been received, or will not be. */
    void replyCame();

    /**
     * Called when the connection is over, or its set-up has failed, and the provider no longer accesses its memory.
     * Idempotent.
     */
    void disconnected();

    /**
     * A connection's own Receives: a few for the peer's first calls, further ones as its credits grow, and one for each
     * expected reply. A connection that is little used holds little memory. Safe for use by several threads.
     */
    final class Own implements ConnectionReceives {
        /** The calls that the peer may make before it gets a grant: Linux's backchannel makes two. */
        private static final int FIRST_CALLS = 2;

        private final List<ReceiveRequest> first = new ArrayList<>();
        private final ReceiveQueue queue;
        private final GrantedCredits credits;
        private final int capacity;
        private volatile @Nullable QueuePair connection;

        /**
         * Prepares Receives for a connection that is not established yet.
         *
         * @param pool provides their memory
         * @param size length of each in bytes
         * @param calls the most calls of the peer in flight
         * @param replies the most replies that this side expects at a time
         * @throws RdmaException with reason NO_RESOURCES if there is no memory for the first ones; then no memory is held
         */
        public Own(RegisteredPool pool, int size, int calls, int replies) throws RdmaException {
            capacity = calls + replies;
            queue = new ReceiveQueue(pool, size, capacity, this::post);
            int firstCalls = Math.min(FIRST_CALLS, calls);
            credits = new GrantedCredits(
                    firstCalls, calls, queue::promiseIfPossible, GrantedCredits.LateAnswers.UNSHARED);
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
        public GrantedCredits credits() {
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
}
