// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The Receives of one connection. As many as were promised to the peer are always posted or being worked on; a message's buffer is
 * replaced as soon as it arrives, so that the promise holds while the message is being worked on, but only up to twice the number: a peer
 * that sends more than it may is held back by that. Safe for use by several threads.
 */
public final class ReceiveQueue {
    private final RegisteredPool pool;
    private final int bufferSize;
    private final int promised;
    private final Map<Long, PooledBuffer> posted = new HashMap<>();
    private long nextId;
    private int working;
    private boolean over;
    private @Nullable QueuePair queuePair;

    /**
     * A queue that has posted nothing yet.
     *
     * @param pool where the Receives' memory comes from
     * @param bufferSize bytes of each Receive
     * @param promised Receives that the peer may count on
     */
    public ReceiveQueue(RegisteredPool pool, int bufferSize, int promised) {
        this.pool = pool;
        this.bufferSize = bufferSize;
        this.promised = promised;
    }

    /**
     * The Receives to post before the connection stands. Called once.
     *
     * @throws RdmaException with reason NO_RESOURCES if the pool has no memory for them; nothing is held then
     */
    public synchronized List<ReceiveRequest> initial() throws RdmaException {
        List<ReceiveRequest> receives = new ArrayList<>(promised);
        try {
            while (receives.size() < promised) {
                receives.add(request(pool.acquire(bufferSize)));
            }
        } catch (RdmaException exhausted) {
            disconnected();
            throw exhausted;
        }
        return receives;
    }

    /** The connection stands: Receives can be posted on it from here on. */
    public synchronized void established(QueuePair connection) {
        queuePair = connection;
    }

    /** The message that a Receive brought; null if it brought none. Its holder releases it. */
    public synchronized @Nullable ReceivedMessage completed(Completion receive) {
        PooledBuffer buffer = posted.remove(receive.id());
        if (buffer == null) {
            return null;
        }
        if (receive.status() != Completion.Status.SUCCESS) {
            buffer.release();
            return null;
        }
        working++;
        replace();
        return new ReceivedMessage(this, buffer, receive.length());
    }

    /** A message has been worked on; its buffer is posted again where one is missing. */
    synchronized void release(PooledBuffer buffer) {
        working--;
        if (!over && posted.size() < promised) {
            post(buffer);
        } else {
            buffer.release();
        }
    }

    /** The connection is over or never came about, and the provider is done with all memory: gives it back. Idempotent. */
    public synchronized void disconnected() {
        over = true;
        posted.values().forEach(PooledBuffer::release);
        posted.clear();
    }

    private void replace() {
        if (over || working > promised) {
            return;
        }
        try {
            post(pool.acquire(bufferSize));
        } catch (RdmaException exhausted) {
            // The Receive is posted when the message that used it up is released; until then the peer has one less.
            System.getLogger(ReceiveQueue.class.getName()).log(System.Logger.Level.WARNING, exhausted.getMessage());
        }
    }

    private void post(PooledBuffer buffer) {
        if (queuePair != null) {
            queuePair.postReceive(request(buffer));
        }
    }

    private ReceiveRequest request(PooledBuffer buffer) {
        long id = nextId++;
        posted.put(id, buffer);
        return new ReceiveRequest(id, buffer.segment(0, bufferSize));
    }
}
