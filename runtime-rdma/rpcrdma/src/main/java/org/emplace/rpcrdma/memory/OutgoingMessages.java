// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.emplace.rpc.client.CallCounters;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing messages of one connection. Their objects and encoders are kept for later messages, their memory is not.
 * Safe for use by several threads.
 */
public final class OutgoingMessages {
    /** The number of messages that a busy connection usually has in flight. */
    private static final int KEPT = 8;

    /** The number of messages that are usually encoded at the same time, by different threads. */
    private static final int KEPT_ENCODERS = 2;

    /** If assertions are enabled, each message has an object of its own, so that its use after its release fails. */
    private static final boolean REUSES = !OutgoingMessages.class.desiredAssertionStatus();

    private final RdmaMemory memory;
    private final int threshold;
    private final Deque<OutgoingMessage> idle = new ArrayDeque<>(KEPT);
    private final Deque<XdrEncoder> idleEncoders = new ArrayDeque<>(KEPT_ENCODERS);

    /**
     * Creates an empty set.
     *
     * @param memory registers payloads that are sent in place
     * @param threshold the inline threshold in bytes: the least size of a message's buffer
     */
    public OutgoingMessages(RdmaMemory memory, int threshold) {
        this.memory = memory;
        this.threshold = threshold;
    }

    /**
     * Returns a message without memory. The caller {@linkplain OutgoingMessage#release releases} it.
     *
     * @param buffers provides the message's memory
     * @param counters counts copies
     */
    public OutgoingMessage acquire(OutgoingMessage.Buffers buffers, CallCounters counters) {
        OutgoingMessage kept = pollIdle();
        OutgoingMessage message = kept == null ? new OutgoingMessage(memory, threshold, this) : kept;
        message.reset(buffers, counters);
        return message;
    }

    private synchronized @Nullable OutgoingMessage pollIdle() {
        return idle.poll();
    }

    /** Returns an encoder for a message. {@link #release(XdrEncoder)} keeps it when the message has been encoded. */
    XdrEncoder acquireEncoder(XdrEncoder.Memory message) {
        XdrEncoder kept = pollIdleEncoder();
        if (kept == null) {
            return new XdrEncoder(message);
        }
        kept.restart(message);
        return kept;
    }

    private synchronized @Nullable XdrEncoder pollIdleEncoder() {
        return idleEncoders.poll();
    }

    synchronized void release(XdrEncoder encoder) {
        if (idleEncoders.size() < KEPT_ENCODERS) {
            idleEncoders.push(encoder);
        }
    }

    synchronized void release(OutgoingMessage message) {
        if (REUSES && idle.size() < KEPT) {
            idle.push(message);
        }
    }
}
