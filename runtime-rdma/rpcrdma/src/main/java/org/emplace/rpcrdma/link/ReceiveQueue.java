// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpc.transport.IntTable;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a queue of Receives, of one connection or of several. As many as were promised to peers are always posted: a message's buffer
 * is replaced as soon as it arrives, so that the promise holds while the message is being worked on; if the pool has no memory, the message is
 * copied to the heap and its buffer posted again. {@link CallCredits} limits how many messages of one peer are being processed, so that
 * others do not pay for them. Safe for use by several threads; memory is registered without a lock held.
 */
final class ReceiveQueue implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReceiveQueue.class.getName());
    /** Buffers kept for the next messages although they are not promised, so that a busy queue need not get each from the pool. */
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
     * A queue that has posted nothing yet.
     *
     * @param pool where the Receives' memory comes from
     * @param bufferSize bytes of each Receive
     * @param limit Receives to promise at most
     * @param posting posts one
     */
    ReceiveQueue(RegisteredPool pool, int bufferSize, int limit, Consumer<ReceiveRequest> posting) {
        this.pool = pool;
        this.bufferSize = bufferSize;
        this.limit = limit;
        this.posting = posting;
    }

    /**
     * Posts Receives until peers can count on so many more.
     *
     * @throws RdmaException with reason NO_RESOURCES if all are promised, or the pool has no memory for them; they are not promised then
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

    /** Promises so many more, or none if there is no memory for them. @return how many */
    int promiseIfPossible(int more) {
        try {
            promise(more);
            return more;
        } catch (RdmaException exhausted) {
            logShortage("no further Receive is posted", exhausted);
            return 0;
        }
    }

    /** Peers count on so many fewer: what is posted beyond that is not replaced once it has been used. */
    synchronized void withdraw(int fewer) {
        promised -= fewer;
    }

    /** Receives that peers count on. */
    synchronized int promised() {
        return promised;
    }

    /** The message that a Receive brought; null if it brought none. Its holder releases it. */
    @Nullable
    ReceivedMessage completed(Completion receive) {
        ReceivedMessage message = take((int) receive.id());
        if (message == null) {
            return null;
        }
        if (receive.status() != Completion.Status.SUCCESS) {
            message.free();
            return null;
        }
        message.arrived(receive.length());
        try {
            // Although this thread serves connections, and this may register memory: the next message may be here.
            promise(0);
            return message;
        } catch (RdmaException exhausted) {
            // There is no memory for another Receive, but peers count on one: this one takes the next message.
            logShortage("a message is copied to the heap, because its Receive has no replacement", exhausted);
            ReceivedMessage copy = message.copy();
            release(message);
            return copy;
        }
    }

    /** A message has been worked on; its buffer is posted again where one is missing. */
    synchronized void release(ReceivedMessage message) {
        if (!over && posted.size() < promised) {
            post(message);
        } else if (!over && spare.size() < SPARE) {
            spare.push(message);
        } else {
            message.free();
        }
    }

    /** The provider no longer uses any memory: gives it back. Idempotent. */
    @Override
    public synchronized void close() {
        over = true;
        posted.values().forEach(ReceivedMessage::free);
        // A completion that is reported late finds nothing.
        posted.clear();
        freeSpare();
    }

    private synchronized @Nullable ReceivedMessage take(int id) {
        return posted.remove(id);
    }

    /** Posts what is promised with so many more, if there are buffers for all of them. Whether there are. */
    private synchronized boolean postPromised(int more) throws RdmaException {
        if (promised + more > limit) {
            throw new RdmaException(
                    RdmaException.Reason.NO_RESOURCES, "all " + limit + " Receives of the queue are promised");
        }
        if (!over && posted.size() + spare.size() < promised + more) {
            return false;
        }
        promised += more;
        while (!over && posted.size() < promised) {
            post(spare.pop());
        }
        return true;
    }

    private synchronized void keep(PooledBuffer buffer) {
        if (over) {
            buffer.release();
        } else {
            spare.push(new ReceivedMessage(this, nextId++, buffer, bufferSize));
        }
    }

    private synchronized void freeSpare() {
        spare.forEach(ReceivedMessage::free);
        spare.clear();
    }

    private void post(ReceivedMessage message) {
        posted.putIfAbsent(message.id(), message);
        posting.accept(message.request());
    }

    private void logShortage(String consequence, RdmaException exhausted) {
        shortages.event(count ->
                LOG.log(Level.WARNING, "{0}: {1}; shortages so far: {2}", consequence, exhausted.getMessage(), count));
    }
}
