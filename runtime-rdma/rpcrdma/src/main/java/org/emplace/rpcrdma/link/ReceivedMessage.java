// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.nio.ByteBuffer;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A Receive and the message that it brought, in the Receive's buffer until {@link #release}. The same object and its decoder serve one message after
 * another. A {@link #copy} is a message of its own, on the heap.
 */
public final class ReceivedMessage {
    private final ReceiveQueue queue;
    private final ReceiveRequest request;
    /** The Receive's memory; null if this is a copy. */
    private final @Nullable PooledBuffer registered;

    private final ByteBuffer view;
    private final XdrDecoder decoder;
    private int length;

    ReceivedMessage(ReceiveQueue queue, int id, PooledBuffer buffer, int size) {
        this(queue, new ReceiveRequest(id, buffer.segment(0, size)), buffer, buffer.buffer());
    }

    private ReceivedMessage(
            ReceiveQueue queue, ReceiveRequest request, @Nullable PooledBuffer registered, ByteBuffer view) {
        this.queue = queue;
        this.request = request;
        this.registered = registered;
        this.view = view;
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

    /** The message that has just arrived, in memory of its own, so that the Receive can be posted again at once. */
    ReceivedMessage copy() {
        ByteBuffer heap = ByteBuffer.allocate(length).put(bytes());
        ReceivedMessage copy = new ReceivedMessage(queue, request, null, heap);
        copy.arrived(length);
        return copy;
    }

    /** The decoder of the message, at first positioned at its header. All readers share it, and each continues where the last one stopped. */
    public XdrDecoder decoder() {
        return decoder;
    }

    /** The message's bytes; a new view each time. */
    public ByteBuffer bytes() {
        return view.duplicate().clear().slice(0, length);
    }

    /** Gives the buffer back, for the next message. To be called once; nothing of this message may be used after it. */
    public void release() {
        // Or what was decoded would be kept in memory until the next message comes.
        decoder.eligibleItems(EligibleItems.ALL_INLINE);
        if (registered != null) {
            queue.release(this);
        }
    }

    /** Gives the memory back to its pool. This object is not used again. */
    void free() {
        if (registered != null) {
            registered.release();
        }
    }
}
