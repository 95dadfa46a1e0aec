// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.emplace.rdma.ReceiveRequest;
import org.jspecify.annotations.Nullable;

/**
 * The Receives that are posted and not filled, in order. Any thread posts, and the loop finds what was posted at once: a task on the
 * loop would come too late for a Send that is in the socket already when the loop gets to look.
 */
final class ReceiveQueue {
    private final Deque<ReceiveRequest> receives = new ArrayDeque<>();
    private boolean closed;

    /** Adds a Receive; false once the queue is closed, which leaves it alone. */
    synchronized boolean post(ReceiveRequest receive) {
        return !closed && receives.add(receive);
    }

    /** The Receive that is to be filled next. */
    synchronized @Nullable ReceiveRequest peek() {
        return receives.peek();
    }

    /** Takes the Receive that was filled. */
    synchronized ReceiveRequest remove() {
        return receives.remove();
    }

    /** Ends the queue: the Receives that have not been filled. */
    synchronized List<ReceiveRequest> close() {
        closed = true;
        List<ReceiveRequest> left = new ArrayList<>(receives);
        receives.clear();
        return left;
    }
}
