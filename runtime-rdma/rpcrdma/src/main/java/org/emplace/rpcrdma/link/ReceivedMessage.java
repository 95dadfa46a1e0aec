// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.nio.ByteBuffer;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A Receive and the message that it has received. The message is in the Receive's buffer until {@link #release}. The
 * object and its decoder are reused for the next message. A {@link #copy} is a separate message on the heap.
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
        return request.id();
    }

    ReceiveRequest request() {
        return request;
    }

    void arrived(int bytes) {
        length = bytes;
        decoder.restart(view.clear().limit(bytes));
    }

    /** Copies the received message to the heap, so that the Receive can be posted again at once. */
    ReceivedMessage copy() {
        ByteBuffer heap = ByteBuffer.allocate(length).put(bytes());
        ReceivedMessage copy = new ReceivedMessage(queue, request, null, heap);
        copy.arrived(length);
        return copy;
    }

    /**
     * The decoder of the message, positioned at the header when the message is received. All readers share it: each
     * continues where the previous one stopped.
     */
    public XdrDecoder decoder() {
        return decoder;
    }

    /** Returns a new view of the message's bytes. */
    public ByteBuffer bytes() {
        return view.duplicate().clear().slice(0, length);
    }

    /** Releases the buffer for the next message. Call this once; nothing of this message may be used afterward. */
    public void release() {
        // Otherwise the decoder would keep the items in memory until the next message.
        decoder.eligibleItems(EligibleItems.ALL_INLINE);
        if (registered != null) {
            queue.release(this);
        }
    }

    /** Returns the memory to the pool. This object is not used again. */
    void free() {
        if (registered != null) {
            registered.release();
        }
    }
}
