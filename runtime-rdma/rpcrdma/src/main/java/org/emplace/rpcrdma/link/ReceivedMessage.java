// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rpcrdma.memory.PooledBuffer;

/** A message that a Receive brought, in the Receive's buffer until {@link #release}. */
public final class ReceivedMessage {
    private final ReceiveQueue queue;
    private final PooledBuffer buffer;
    private final int length;
    private final AtomicBoolean released = new AtomicBoolean();

    ReceivedMessage(ReceiveQueue queue, PooledBuffer buffer, int length) {
        this.queue = queue;
        this.buffer = buffer;
        this.length = length;
    }

    /** The message's bytes; a new view each time. */
    public ByteBuffer bytes() {
        return buffer.buffer().slice(0, length);
    }

    /** Gives the buffer back. Idempotent. */
    public void release() {
        if (released.compareAndSet(false, true)) {
            queue.release(buffer);
        }
    }
}
