// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one queue pair. Called on a provider's thread, from within {@link QueuePair#post} on the posting thread, or from within
 * {@link QueuePair#helpUntil} on a waiting thread (of any connection of the provider); by one thread at a time and in order. Must not block, and must
 * not throw (a throw ends the connection).
 */
public interface QueuePairHandler {

    /** The connection is established. This is the first call on this handler, on both sides; for an initiator, before the connect stage completes. */
    void established(QueuePair queuePair);

    /**
     * Work requests have ended. Not called after {@link #disconnected}.
     *
     * @param completions in the order in which the requests ended. The handler may keep the completions, but not the list: the provider reuses that
     */
    void completed(List<Completion> completions);

    /**
     * The connection is over. Every work request posted before its end has been reported, with {@link Completion.Status#FLUSHED} if it did not run,
     * and the provider no longer touches the connection's memory. Called exactly once.
     *
     * @param cause null after an orderly close by either side
     */
    void disconnected(@Nullable RdmaException cause);
}
