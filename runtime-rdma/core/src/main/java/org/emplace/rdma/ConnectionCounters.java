// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import org.emplace.rdma.Completion.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Where a provider reports what one of its connections does. Made by {@link RdmaCounters#connectionOpened}. Safe for use by several
 * threads; no method blocks. Counting does not change what the provider does: a provider calls these methods and ignores them.
 */
public final class ConnectionCounters {
    private final RdmaCounters counters;

    ConnectionCounters(RdmaCounters counters) {
        this.counters = counters;
    }

    /** Receives have been posted, those of {@link ConnectionParameters#receives} included; also where they go to a shared receive queue. */
    public void receivesPosted(int count) {
        counters.posted(Operation.RECEIVE, count);
    }

    /** Work requests have been taken by {@link QueuePair#post}. Not for those that nothing comes of, after the end. */
    public void posted(List<WorkRequest> requests) {
        for (WorkRequest request : requests) {
            counters.posted(operation(request), 1);
        }
    }

    /** Called right before {@link QueuePairHandler#completed}, with the same list. */
    public void completed(List<Completion> completions) {
        completions.forEach(counters::completed);
    }

    /** {@link QueuePair#expose} has let the peer at a range. */
    public void accessGranted() {
        counters.accessGranted();
    }

    /**
     * The peer can reach a range no more: it was revoked and its fence has completed, the peer invalidated it, or the connection ended.
     * Called once for each {@link #accessGranted}.
     */
    public void accessEnded() {
        counters.accessEnded();
    }

    /** Called right before {@link QueuePairHandler#disconnected}, with the same cause, and after every {@link #accessEnded}. */
    public void ended(@Nullable RdmaException cause) {
        counters.connectionEnded();
    }

    private static Operation operation(WorkRequest request) {
        if (request instanceof WorkRequest.Send) {
            return Operation.SEND;
        }
        return request instanceof WorkRequest.Write ? Operation.WRITE : Operation.READ;
    }
}
