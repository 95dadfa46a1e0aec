// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.nio.ByteBuffer;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;

/**
 * A Receive and the message that it brought, in the Receive's buffer until {@link #release}. The same object, its decoder with it, serves one
 * message after the other.
 */
public final class ReceivedMessage {
    private final ReceiveQueue queue;
    private final PooledBuffer buffer;
    private final ReceiveRequest request;
    private final ByteBuffer view;
    private final XdrDecoder decoder;
    private int length;

    ReceivedMessage(ReceiveQueue queue, int id, PooledBuffer buffer, int size) {
        this.queue = queue;
        this.buffer = buffer;
        this.request = new ReceiveRequest(id, buffer.segment(0, size));
        this.view = buffer.buffer();
        this.decoder = new XdrDecoder(view);
    }

    int id() {
        return (int) request.id();
    }

    ReceiveRequest request() {
        return request;
    }

    void arrived(int bytes) {
        length = bytes;
        decoder.restart(view.clear().limit(bytes));
    }

    /** The decoder of the message, at its header when it has come; one for all who read it, each from where the last left off. */
    public XdrDecoder decoder() {
        return decoder;
    }

    /** The message's bytes; a new view each time. */
    public ByteBuffer bytes() {
        return buffer.buffer().slice(0, length);
    }

    /** Gives the buffer back, for the next message. To be called once; nothing of this message may be used after it. */
    public void release() {
        // Or what was decoded would be kept in memory until the next message comes.
        decoder.eligibleItems(EligibleItems.ALL_INLINE);
        queue.release(this);
    }

    /** Gives the memory back to its pool: this object is used no more. */
    void free() {
        buffer.release();
    }
}
