// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.TerminateCode;
import org.jspecify.annotations.Nullable;

/** The Receives of a single queue pair. Posted on the calling thread, so a Send finds every Receive that was posted before it arrives. */
final class PrivateReceives implements IwarpReceiveQueue {
    private final Deque<ReceiveRequest> posted;
    private boolean ended;

    PrivateReceives(List<ReceiveRequest> first) {
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
