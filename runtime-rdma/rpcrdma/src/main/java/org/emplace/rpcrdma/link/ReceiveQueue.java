// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a queue of Receives, of one connection or of several. As many as were promised to peers are always posted: a message's buffer
 * is replaced as soon as it arrives, so that the promise holds while the message is being worked on. How many messages a peer can have worked
 * on is for {@link CallCredits} to bound, as nobody else is to pay for them. Safe for use by several threads.
 */
final class ReceiveQueue implements AutoCloseable {
    private final RegisteredPool pool;
    private final int bufferSize;
    private final Consumer<ReceiveRequest> posting;
    private final Map<Long, PooledBuffer> posted = new HashMap<>();
    private long nextId;
    private int promised;
    private boolean over;

    /**
     * A queue that has posted nothing yet.
     *
     * @param pool where the Receives' memory comes from
     * @param bufferSize bytes of each Receive
     * @param posting posts one
     */
    ReceiveQueue(RegisteredPool pool, int bufferSize, Consumer<ReceiveRequest> posting) {
        this.pool = pool;
        this.bufferSize = bufferSize;
        this.posting = posting;
    }

    /**
     * Posts Receives until peers can count on so many more.
     *
     * @throws RdmaException with reason NO_RESOURCES if the pool has no memory for them; they are not promised then
     */
    synchronized void promise(int more) throws RdmaException {
        while (!over && posted.size() < promised + more) {
            post(pool.acquire(bufferSize));
        }
        promised += more;
    }

    /** Peers count on so many fewer: what is posted beyond that is not replaced once it has been used. */
    synchronized void withdraw(int fewer) {
        promised -= fewer;
    }

    /** The message that a Receive brought; null if it brought none. Its holder releases it. */
    synchronized @Nullable ReceivedMessage completed(Completion receive) {
        PooledBuffer buffer = posted.remove(receive.id());
        if (buffer == null) {
            return null;
        }
        if (receive.status() != Completion.Status.SUCCESS) {
            buffer.release();
            return null;
        }
        replace();
        return new ReceivedMessage(this, buffer, receive.length());
    }

    /** A message has been worked on; its buffer is posted again where one is missing. */
    synchronized void release(PooledBuffer buffer) {
        if (!over && posted.size() < promised) {
            post(buffer);
        } else {
            buffer.release();
        }
    }

    /** The provider is done with all memory: gives it back. Idempotent. */
    @Override
    public synchronized void close() {
        over = true;
        posted.values().forEach(PooledBuffer::release);
        posted.clear();
    }

    private void replace() {
        if (over || posted.size() >= promised) {
            return;
        }
        try {
            post(pool.acquire(bufferSize));
        } catch (RdmaException exhausted) {
            // The Receive is posted when the message that used it up is released; until then the peers have one less.
            System.getLogger(ReceiveQueue.class.getName()).log(System.Logger.Level.WARNING, exhausted.getMessage());
        }
    }

    private void post(PooledBuffer buffer) {
        long id = nextId++;
        posted.put(id, buffer);
        posting.accept(new ReceiveRequest(id, buffer.segment(0, bufferSize)));
    }
}
