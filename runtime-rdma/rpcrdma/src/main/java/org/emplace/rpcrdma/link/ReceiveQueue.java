// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rpc.transport.IntTable;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a queue of Receives, of one connection or of several. As many as were promised to peers are always posted: a message's buffer
 * is replaced as soon as it arrives, so that the promise holds while the message is being worked on. How many messages a peer can have worked
 * on is for {@link CallCredits} to bound, as nobody else is to pay for them. Safe for use by several threads.
 */
final class ReceiveQueue implements AutoCloseable {
    /** Buffers that are kept for the next messages, although they are not promised: a queue in use does not go to the pool for each. */
    private static final int SPARE = 2;

    private final RegisteredPool pool;
    private final int bufferSize;
    private final Consumer<ReceiveRequest> posting;
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
            post(next());
        }
        promised += more;
    }

    /** Peers count on so many fewer: what is posted beyond that is not replaced once it has been used. */
    synchronized void withdraw(int fewer) {
        promised -= fewer;
    }

    /** The message that a Receive brought; null if it brought none. Its holder releases it. */
    synchronized @Nullable ReceivedMessage completed(Completion receive) {
        ReceivedMessage message = posted.remove((int) receive.id());
        if (message == null) {
            return null;
        }
        if (receive.status() != Completion.Status.SUCCESS) {
            message.free();
            return null;
        }
        replace();
        message.arrived(receive.length());
        return message;
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

    /** The provider is done with all memory: gives it back. Idempotent. */
    @Override
    public synchronized void close() {
        if (!over) {
            over = true;
            posted.values().forEach(ReceivedMessage::free);
            spare.forEach(ReceivedMessage::free);
            // A completion that is reported late finds nothing.
            posted.clear();
            spare.clear();
        }
    }

    private void replace() {
        if (over || posted.size() >= promised) {
            return;
        }
        try {
            post(next());
        } catch (RdmaException exhausted) {
            // The Receive is posted when the message that used it up is released; until then the peers have one less.
            System.getLogger(ReceiveQueue.class.getName()).log(System.Logger.Level.WARNING, exhausted.getMessage());
        }
    }

    private ReceivedMessage next() throws RdmaException {
        return spare.isEmpty()
                ? new ReceivedMessage(this, nextId++, pool.acquire(bufferSize), bufferSize)
                : spare.pop();
    }

    private void post(ReceivedMessage message) {
        posted.putIfAbsent(message.id(), message);
        posting.accept(message.request());
    }
}
