// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.jspecify.annotations.Nullable;

/** The posted Receives: those that the device holds, in order, and those that wait for room. Used under the queue pair's lock. */
final class VerbsReceiveQueue {
    private static final int BATCH = 32;

    private final long queuePair;
    private final int depth;
    private final ProtectionDomain domain;
    private final ReceiveBuffer buffer;
    private final Deque<ReceiveRequest> waiting = new ArrayDeque<>();
    private final Deque<ReceiveRequest> posted = new ArrayDeque<>();
    private long firstSequence;
    private @Nullable RdmaException fault;

    /** @param queuePair its native handle */
    VerbsReceiveQueue(long queuePair, NativeQueuePair.Limits limits, ProtectionDomain domain) {
        this.queuePair = queuePair;
        this.domain = domain;
        depth = limits.receives();
        buffer = new ReceiveBuffer(Math.min(BATCH, depth));
    }

    /** The reason why nothing can be posted any more; null if posting works. */
    @Nullable
    RdmaException fault() {
        return fault;
    }

    void add(ReceiveRequest receive) {
        waiting.add(receive);
    }

    /** Posts as many waiting Receives as the device has room for. */
    void post() {
        while (fault == null && !waiting.isEmpty() && posted.size() < depth) {
            buffer.clear();
            fill();
            if (buffer.count() > 0) {
                postBatch();
            }
        }
    }

    private void fill() {
        while (!buffer.isFull() && !waiting.isEmpty() && posted.size() < depth) {
            ReceiveRequest receive = waiting.element();
            try {
                buffer.add(firstSequence + posted.size(), receive.sink(), domain);
            } catch (RdmaException e) {
                fault = e;
                return;
            }
            posted.add(waiting.remove());
        }
    }

    private void postBatch() {
        String what;
        try {
            int taken = Libibverbs.postReceive(queuePair, buffer.bytes(), buffer.count());
            if (taken == buffer.count()) {
                return;
            }
            what = "the receive queue has room for " + taken + " of " + buffer.count() + " Receives";
        } catch (NativeException e) {
            what = "posting a Receive failed: " + e.getMessage();
        }
        fault = new RdmaException(Reason.DISCONNECTED, what);
    }

    /** Takes the completion of a Receive. Receives complete in order. */
    void completed(long sequence, Status status, int length, OptionalInt invalidated, List<Completion> ended) {
        if (sequence < firstSequence || sequence >= firstSequence + posted.size()) {
            throw new IllegalStateException("the device reports a Receive that it has not been given");
        }
        while (firstSequence < sequence) {
            firstSequence++;
            ended.add(flushed(posted.remove()));
        }
        firstSequence++;
        ended.add(new Completion(posted.remove().id(), Operation.RECEIVE, status, length, invalidated));
    }

    /** Deregisters the memory of outstanding Receives, so that the device can no longer access it. */
    void withdraw() {
        posted.forEach(receive -> VerbsRegion.of(receive.sink()).withdrawFrom(domain));
    }

    /** Completes the outstanding Receives in order, after the queue pair has been destroyed. */
    void flush(List<Completion> ended) {
        posted.forEach(receive -> ended.add(flushed(receive)));
        posted.clear();
        waiting.forEach(receive -> ended.add(flushed(receive)));
        waiting.clear();
    }

    private static Completion flushed(ReceiveRequest receive) {
        return new Completion(receive.id(), Operation.RECEIVE, Status.FLUSHED, 0, OptionalInt.empty());
    }
}
