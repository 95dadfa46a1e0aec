// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.emplace.rpc.transport.CallCounters;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing messages of one connection. Those that have been sent are reused, without memory but with their encoders. Safe for use by several
 * threads.
 */
public final class OutgoingMessages {
    /** Messages that a busy connection usually has in flight. */
    private static final int KEPT = 8;

    private final RdmaMemory memory;
    private final int threshold;
    private final Deque<OutgoingMessage> idle = new ArrayDeque<>(KEPT);

    /**
     * No messages yet.
     *
     * @param memory registers what is sent from where it is
     * @param threshold largest message that goes in one Send: their first buffers have as many bytes at least
     */
    public OutgoingMessages(RdmaMemory memory, int threshold) {
        this.memory = memory;
        this.threshold = threshold;
    }

    /**
     * A message that holds no memory yet; its holder {@linkplain OutgoingMessage#release releases} it.
     *
     * @param buffers where the message's own memory comes from
     * @param counters counts what has to be copied
     */
    public OutgoingMessage next(MessageBuffers buffers, CallCounters counters) {
        OutgoingMessage kept = take();
        OutgoingMessage message = kept == null ? new OutgoingMessage(memory, threshold, this) : kept;
        message.begin(buffers, counters);
        return message;
    }

    private synchronized @Nullable OutgoingMessage take() {
        return idle.poll();
    }

    synchronized void giveBack(OutgoingMessage message) {
        if (idle.size() < KEPT) {
            idle.push(message);
        }
    }
}
