// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A Receive and the message that it has received. The message is in the Receive's buffer until {@link #release}. The
 * object is reused for the next message; its decoder belongs to the buffer and is reused with it. If assertions are
 * enabled, the next message has another object, so that each use after the release fails. A {@link #copy} is a separate
 * message on the heap.
 */
public final class ReceivedMessage {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final ReceiveQueue queue;
    private final ReceiveRequest request;
    /** The Receive's memory; null if this is a copy. */
    private final @Nullable PooledBuffer registered;

    /** The bytes of a copy; empty if this is not a copy. */
    private final ByteBuffer heap;

    private final XdrDecoder decoder;
    private int length;
    private boolean released;

    ReceivedMessage(ReceiveQueue queue, int id, PooledBuffer buffer, int size) {
        this(queue, new ReceiveRequest(id, buffer.gather(0, size).get(0)), buffer);
    }

    private ReceivedMessage(ReceiveQueue queue, ReceiveRequest request, PooledBuffer buffer) {
        this.queue = queue;
        this.request = request;
        this.registered = buffer;
        this.heap = NONE;
        this.decoder = buffer.decoder(0);
    }

    private ReceivedMessage(ReceivedMessage original) {
        queue = original.queue;
        request = original.request;
        registered = null;
        length = original.length;
        heap = ByteBuffer.allocate(length).put(original.bytes()).flip();
        decoder = new XdrDecoder(heap);
    }

    int id() {
        return request.id();
    }

    ReceiveRequest request() {
        return request;
    }

    /** Called when the Receive has completed. Returns the message, which is another object if this one was released. */
    ReceivedMessage arrived(int bytes) {
        PooledBuffer former = memory();
        PooledBuffer buffer = former.next();
        ReceivedMessage message = buffer == former ? this : new ReceivedMessage(queue, request, buffer);
        former.replacedBy(buffer);
        message.released = false;
        message.length = bytes;
        buffer.decoder(bytes);
        return message;
    }

    /** Copies the received message to the heap, so that the Receive can be posted again at once. */
    ReceivedMessage copy() {
        return new ReceivedMessage(this);
    }

    private PooledBuffer memory() {
        return Objects.requireNonNull(registered, "a copy receives nothing");
    }

    /**
     * The decoder of the message, positioned at the header when the message is received. All readers share it: each
     * continues where the previous one stopped.
     */
    public XdrDecoder decoder() {
        checkNotReleased();
        return decoder;
    }

    /** Returns a new view of the message's bytes. */
    public ByteBuffer bytes() {
        checkNotReleased();
        return registered == null ? heap.duplicate() : registered.buffer().slice(0, length);
    }

    /** Releases the buffer for the next message. Call this once; nothing of this message may be used afterward. */
    public void release() {
        checkNotReleased();
        released = true;
        // Otherwise the decoder would keep the items in memory until the next message.
        decoder.eligibleItems(EligibleItems.ALL_INLINE);
        if (registered != null) {
            assert registered.overwrite();
            queue.release(this);
        }
    }

    private void checkNotReleased() {
        assert !released : "a received message is used after its release";
    }

    /** Returns the memory to the pool. This object is not used again. */
    void free() {
        if (registered != null) {
            registered.release();
        }
    }
}
