// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.Reaped;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.WorkStatus;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives.CompletedReceive;
import org.jspecify.annotations.Nullable;

/**
 * The receive queue of a queue pair: the Receives that the device holds, in order, those that wait for room, and their completion queue. It stays empty
 * if the queue pair takes its Receives from a shared queue. Any thread may post; everything else is done on the loop.
 */
final class VerbsReceiveQueue {
    private static final int BATCH = 32;

    private final VerbsQueuePair queuePair;
    private final ProtectionDomain domain;
    private final @Nullable CompletionQueue completions;
    private final int depth;
    private final WorkRequestBuffer buffer;
    private final Deque<ReceiveRequest> waiting = new ArrayDeque<>();
    private final Deque<ReceiveRequest> posted = new ArrayDeque<>();
    private long firstSequence;
    private boolean closed;
    private @Nullable RdmaException fault;

    /**
     * Creates an empty queue.
     *
     * @param completions its completion queue; null if the queue pair takes its Receives from a shared queue
     * @param depth the Receives that the device holds at a time
     */
    VerbsReceiveQueue(
            VerbsQueuePair queuePair, ProtectionDomain domain, @Nullable CompletionQueue completions, int depth) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.completions = completions;
        this.depth = depth;
        buffer = WorkRequestBuffer.ofReceives(Math.min(BATCH, depth));
    }

    /** Before the connection is established: posts its first Receives. */
    synchronized void postFirst(List<ReceiveRequest> first) throws RdmaException {
        waiting.addAll(first);
        transmit();
        if (fault != null) {
            throw fault;
        }
    }

    /** On any thread: posts a Receive, now or when the device has room. Does nothing after {@link #stopPosting}. */
    void post(ReceiveRequest receive, ConnectionCounters counters) {
        if (completions == null) {
            throw new IllegalStateException("the connection's Receives are those of a shared queue: post to that");
        }
        VerbsRegion.ofSink(receive.sink());
        RdmaException failure;
        synchronized (this) {
            if (closed) {
                return;
            }
            counters.receivesPosted(1);
            waiting.add(receive);
            transmit();
            failure = fault;
        }
        queuePair.report(failure);
    }

    synchronized void stopPosting() {
        closed = true;
    }

    /** Posts as many waiting Receives as the device has room for. */
    private void transmit() {
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
            try {
                buffer.addReceive(
                        firstSequence + posted.size(), waiting.element().sink(), domain);
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
            int taken = Libibverbs.postReceive(queuePair.handle(), buffer.bytes(), buffer.count());
            if (taken == buffer.count()) {
                return;
            }
            what = "the receive queue has room for " + taken + " of " + buffer.count() + " Receives";
        } catch (NativeException e) {
            what = "posting a Receive failed: " + e.getMessage();
        }
        fault = new RdmaException(Reason.DISCONNECTED, what);
    }

    /** Requests an event for the next completion. */
    void arm() throws NativeException {
        if (completions != null) {
            completions.arm();
        }
    }

    /** Takes a batch of completions. Returns their number. */
    int poll() throws NativeException {
        return completions == null ? 0 : completions.poll();
    }

    /** Processes the first {@code count} completions that were polled, and posts Receives that waited for room. */
    synchronized void reap(int count, Reaped reaped) {
        for (int i = 0; completions != null && i < count; i++) {
            WorkStatus status = completions.batch().status(i);
            if (reaped.note(status, closed)) {
                complete(completions.batch(), i, status, reaped);
            }
        }
        if (reaped.failure() == null && !closed) {
            transmit();
        }
        reaped.fault(fault);
    }

    /** Completes a Receive. Receives complete in order. */
    private void complete(CompletionQueue.Batch batch, int index, WorkStatus status, Reaped reaped) {
        long sequence = batch.sequence(index);
        if (sequence < firstSequence || sequence >= firstSequence + posted.size()) {
            throw new IllegalStateException("the device reports a Receive that it has not been given");
        }
        while (firstSequence < sequence) {
            firstSequence++;
            reaped.completed(flushed(posted.remove()));
        }
        firstSequence++;
        OptionalInt invalidated = status.isSuccess() && batch.mayInvalidate(index)
                ? reaped.invalidated(batch.invalidatedKey(index))
                : OptionalInt.empty();
        reaped.completed(new Completion(
                posted.remove().id(), Operation.RECEIVE, status.status(), batch.length(index), invalidated));
    }

    /** Completes Receives that the queue pair took from its shared queue. */
    synchronized void complete(List<CompletedReceive> taken, Reaped reaped) {
        for (CompletedReceive receive : taken) {
            WorkStatus status = receive.status();
            reaped.note(status, closed);
            OptionalInt invalidated = status.isSuccess() && receive.mayInvalidate()
                    ? reaped.invalidated(receive.key())
                    : OptionalInt.empty();
            Status reported = closed && !status.isSuccess() ? Status.FLUSHED : status.status();
            int length = status.isSuccess() ? receive.length() : 0;
            reaped.completed(new Completion(receive.receive().id(), Operation.RECEIVE, reported, length, invalidated));
        }
    }

    /** If the queue pair could not be destroyed: deregisters the memory of outstanding Receives, so that the device can no longer access it. */
    synchronized void withdraw() {
        posted.forEach(receive -> VerbsRegion.of(receive.sink()).withdrawFrom(domain));
    }

    @Nullable
    CompletionQueue completions() {
        return completions;
    }

    /** After the queue pair has been destroyed: completes the outstanding Receives in order. */
    synchronized void flush(List<Completion> ended) {
        posted.forEach(receive -> ended.add(flushed(receive)));
        posted.clear();
        waiting.forEach(receive -> ended.add(flushed(receive)));
        waiting.clear();
    }

    private static Completion flushed(ReceiveRequest receive) {
        return new Completion(receive.id(), Operation.RECEIVE, Status.FLUSHED, 0, OptionalInt.empty());
    }
}
