// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.Receives;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.jspecify.annotations.Nullable;

/** The source of one queue pair's Receives. Used on its loop; any thread may post to it. */
interface IwarpReceiveQueue {

    /**
     * The queue of a connection.
     *
     * @param receives the Receives that it was set up with
     * @param loop of the connection
     * @param handedOver called on the loop with the Receive for which {@link #take} found none
     */
    static IwarpReceiveQueue of(Receives receives, Executor loop, Consumer<ReceiveRequest> handedOver) {
        if (receives instanceof IwarpSharedReceives shared) {
            return shared.takenBy(loop, handedOver);
        }
        return new PrivateReceives(((Receives.Own) receives).first());
    }

    /**
     * The Receive for a Send that begins.
     *
     * @param undelivered whether the consumer has yet to be told of completions, and may post Receives when it is
     * @return null if there is none now. A shared queue hands one over when there is one; another is to be asked again when the consumer
     *     has been told
     * @throws StreamException if there is none, and the Send cannot wait
     */
    @Nullable
    ReceiveRequest take(boolean undelivered) throws StreamException;

    /** Whether other connections use the queue too. */
    boolean isShared();

    /** This queue, to be posted to. @throws IllegalStateException if it is shared */
    PrivateReceives own();

    /** Called when the connection is over. Returns its unused Receives. */
    List<ReceiveRequest> end();
}
