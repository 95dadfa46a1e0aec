// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one queue pair, one at a time and in order. Called on a provider's thread, on a thread in
 * {@link QueuePair#post}, or on a thread in {@link QueuePair#helpUntil} of any connection of the provider. The methods
 * must not block. An exception from one of them ends the connection.
 */
public interface QueuePairHandler {

    /**
     * The connection is established. This is the first call; at the initiator, the stage of {@link
     * RdmaProvider#connect} completes after it.
     */
    void established(QueuePair queuePair);

    /**
     * Work requests or Receives have completed. Not called after {@link #disconnected}.
     *
     * @param completions in the order in which they occurred. The handler may keep the completions but not the list,
     *     which the provider reuses
     */
    void completed(List<Completion> completions);

    /**
     * The connection is over. The completions of all requests posted before its end have been reported, as {@link
     * Completion.Status#FLUSHED} for those that did not run. The provider no longer accesses the connection's memory.
     * Called exactly once; once more if it throws.
     *
     * @param cause why the connection ended; null after an orderly close by either side
     */
    void disconnected(@Nullable RdmaException cause);
}
