// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.IntTable;
import org.emplace.reactor.LogSampler;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the Receives of one connection or of a shared receive queue. The number of Receives promised to peers
 * is always posted: when a message arrives, another buffer is posted at once, so that the promise holds while the
 * message is processed. If the pool has no memory, the message is copied to the heap and its buffer is posted again.
 * {@link GrantedCredits} limits the messages of one peer that are processed at a time. Safe for use by several threads;
 * memory is registered without a lock.
 */
final class ReceiveQueue implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReceiveQueue.class.getName());
    /** The number of unpromised buffers to keep, so that a busy queue need not get each buffer from the pool. */
    private static final int SPARE = 2;

    private final RegisteredPool pool;
    private final int bufferSize;
    private final int limit;
    private final Consumer<ReceiveRequest> posting;
    private final LogSampler shortages = new LogSampler();

    private final IntTable<ReceivedMessage> posted = new IntTable<>();
    private final Deque<ReceivedMessage> spare = new ArrayDeque<>(SPARE);
    private int nextId;
    private int promised;
    private boolean over;

    /**
     * Creates a queue without Receives.
     *
     * @param pool provides the memory
     * @param bufferSize length of each Receive in bytes
     * @param limit the most Receives to promise
     * @param posting posts a Receive
     */
    ReceiveQueue(RegisteredPool pool, int bufferSize, int limit, Consumer<ReceiveRequest> posting) {
        this.pool = pool;
        this.bufferSize = bufferSize;
        this.limit = limit;
        this.posting = posting;
    }

    /**
     * Promises {@code more} Receives to peers, and posts them.
     *
     * @throws RdmaException with reason NO_RESOURCES if the limit is reached, or the pool has no memory; then none are
     *     promised
     */
    void promise(int more) throws RdmaException {
        try {
            while (!postPromised(more)) {
                keep(pool.acquire(bufferSize));
            }
        } catch (RdmaException exhausted) {
            freeSpare();
            throw exhausted;
        }
    }

    /**
     * Promises {@code more} Receives, or none if there is no memory for them.
     *
     * @return the number promised
     */
    int promiseIfPossible(int more) {
        try {
            promise(more);
            return more;
        } catch (RdmaException exhausted) {
            logShortage("no further Receive is posted", exhausted);
            return 0;
        }
    }

    /** Withdraws promises. Receives posted beyond the rest are not replaced after their use. */
    synchronized void withdraw(int fewer) {
        promised -= fewer;
    }

    /** The number of Receives promised to peers. */
    synchronized int promised() {
        return promised;
    }

    /** Returns the message that a Receive has received; null if there is none. The caller releases the message. */
    @Nullable
    ReceivedMessage completed(Completion receive) {
        ReceivedMessage message = remove(receive.id());
        if (message == null) {
            return null;
        }
        if (receive.status() != Completion.Status.SUCCESS) {
            message.free();
            return null;
        }
        boolean isReplaced = false;
        try {
            message = message.arrived(receive.length());
            // This thread serves connections, and this may register memory. The promise cannot wait: the next message
            // may already have arrived.
            promise(0);
            isReplaced = true;
            return message;
        } catch (RdmaException exhausted) {
            // There is no memory for another Receive, but one was promised: this one is posted again.
            logShortage("a message is copied to the heap, because its Receive has no replacement", exhausted);
            return message.copy();
        } finally {
            if (!isReplaced) {
                release(message);
            }
        }
    }

    /** Called when a message has been processed. Posts its buffer again if a Receive is missing. */
    synchronized void release(ReceivedMessage message) {
        if (!over && posted.size() < promised) {
            post(message);
        } else if (!over && spare.size() < SPARE) {
            spare.push(message);
        } else {
            message.free();
        }
    }

    /** Called when the provider no longer accesses the memory: releases it. Idempotent. */
    @Override
    public synchronized void close() {
        over = true;
        posted.values().forEach(ReceivedMessage::free);
        // A completion that is reported late finds no Receive.
        posted.clear();
        freeSpare();
    }

    private synchronized @Nullable ReceivedMessage remove(int id) {
        return posted.remove(id);
    }

    /**
     * Promises {@code more} Receives and posts all that are promised. Returns false if there are not enough buffers.
     */
    private synchronized boolean postPromised(int more) throws RdmaException {
        if (promised + more > limit) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES, "all " + limit + " Receives of the queue are promised to peers");
        }
        if (!over && posted.size() + spare.size() < promised + more) {
            return false;
        }
        while (!over && posted.size() < promised + more) {
            ReceivedMessage next = spare.element();
            ReceiveRequest request = enter(next);
            spare.pop();
            posting.accept(request);
        }
        // Last, because posting may fail.
        promised += more;
        return true;
    }

    private synchronized void keep(PooledBuffer buffer) {
        boolean isKept = false;
        try {
            if (!over) {
                spare.push(new ReceivedMessage(this, nextId++, buffer, bufferSize));
                isKept = true;
            }
        } finally {
            if (!isKept) {
                buffer.release();
            }
        }
    }

    private synchronized void freeSpare() {
        spare.forEach(ReceivedMessage::free);
        spare.clear();
    }

    private void post(ReceivedMessage message) {
        posting.accept(enter(message));
    }

    private ReceiveRequest enter(ReceivedMessage message) {
        ReceiveRequest request = message.request();
        posted.putIfAbsent(message.id(), message);
        return request;
    }

    private void logShortage(String consequence, RdmaException exhausted) {
        shortages.event(count ->
                LOG.log(Level.WARNING, "{0}: {1}; shortages so far: {2}", consequence, exhausted.getMessage(), count));
    }
}
