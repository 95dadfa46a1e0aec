// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.TerminateCode;
import org.emplace.reactor.Peer;
import org.jspecify.annotations.Nullable;

/** The source of one queue pair's Receives. Used on its loop; any thread may post. */
interface IwarpReceiveQueue {

    /**
     * The receive queue of a connection.
     *
     * @param receives its private Receives or shared receive queue
     * @param peer the connection's peer
     * @param loop of the connection
     * @param supplied called on the loop with a Receive, after {@link #take} found none
     */
    static IwarpReceiveQueue of(Receives receives, Peer peer, Executor loop, Consumer<ReceiveRequest> supplied) {
        if (receives instanceof IwarpSharedReceives shared) {
            return shared.takenBy(peer, loop, supplied);
        }
        return new Private(((Receives.Own) receives).first());
    }

    /**
     * Takes the Receive for a Send that begins.
     *
     * @param undelivered whether there are completions that the consumer has not got yet; it may post Receives when it gets them
     * @return the Receive; null if there is none now. A shared queue then supplies one as soon as it can. Ask a private queue again after the
     *     completions have been delivered
     * @throws StreamException if there is none and the Send cannot wait
     */
    @Nullable
    ReceiveRequest take(boolean undelivered) throws StreamException;

    /** Called when the connection is over. Returns its unused Receives. */
    List<ReceiveRequest> end();

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
        public synchronized @Nullable ReceiveRequest take(boolean undelivered) throws StreamException {
            ReceiveRequest next = posted.poll();
            if (next == null && !undelivered) {
                throw StreamException.violation(TerminateCode.DDP_NO_BUFFER, "Send without a Receive posted for it");
            }
            return next;
        }

        @Override
        public synchronized List<ReceiveRequest> end() {
            ended = true;
            List<ReceiveRequest> left = List.copyOf(posted);
            posted.clear();
            return left;
        }
    }
}
