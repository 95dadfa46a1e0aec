// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.ConnectionCounters;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The send queue and the receive queue of a queue pair under one lock. Any thread posts, on the calling thread; the loop handles completions. The
 * methods that post return why nothing can be posted any more, or null if posting works.
 */
final class WorkQueues {
    /**
     * The results of a batch of the device's completions.
     *
     * @param ended completions for the handler
     * @param invalidations actions to run before the handler is called
     * @param failure the first failed request's status, preferably one that is not a flush; null if all succeeded
     * @param fault why nothing can be posted any more; null if posting works
     */
    record Reaped(
            List<Completion> ended,
            List<Runnable> invalidations,
            @Nullable WorkStatus failure,
            @Nullable RdmaException fault) {}

    private final VerbsSendQueue sends;
    private final VerbsReceiveQueue receives;
    private final RemoteAccessStrategy strategy;
    private @Nullable ConnectionCounters counters;
    private int postedBefore;
    private boolean closed;

    WorkQueues(VerbsSendQueue sends, VerbsReceiveQueue receives, RemoteAccessStrategy strategy) {
        this.sends = sends;
        this.receives = receives;
        this.strategy = strategy;
    }

    /**
     * Starts the queues of an established connection: counts work, including the Receives posted before, and lets Reads be sent.
     *
     * @param outboundReads RDMA Reads that the peer answers at a time
     */
    synchronized void established(ConnectionCounters counting, int outboundReads) {
        counters = counting;
        counting.receivesPosted(postedBefore);
        sends.negotiated(outboundReads);
    }

    /** Posts Receives; ignored once closed. */
    synchronized @Nullable RdmaException postReceives(List<ReceiveRequest> requests) {
        if (closed) {
            return null;
        }
        if (counters != null) {
            counters.receivesPosted(requests.size());
        } else {
            postedBefore += requests.size();
        }
        requests.forEach(receives::add);
        receives.post();
        return receives.fault();
    }

    /** Posts work requests; ignored once closed. */
    synchronized @Nullable RdmaException post(List<WorkRequest> requests) {
        if (closed) {
            return null;
        }
        if (counters != null) {
            counters.posted(requests);
        }
        requests.forEach(sends::add);
        sends.transmit();
        return sends.fault();
    }

    /** Posts a window's bind or invalidation, or a probe; ignored once closed. */
    synchronized @Nullable RdmaException post(SendItem item) {
        if (closed) {
            return null;
        }
        sends.add(item);
        sends.transmit();
        return sends.fault();
    }

    /** On the loop: processes the first {@code count} completions, and posts requests that waited for room. */
    synchronized Reaped reap(CompletionBuffer completions, int count) {
        List<Completion> ended = new ArrayList<>(count);
        List<Runnable> invalidations = new ArrayList<>();
        WorkStatus failure = null;
        for (int i = 0; i < count; i++) {
            WorkStatus status = completions.status(i);
            if (!status.isSuccess() && (failure == null || failure.isFlushed())) {
                failure = status;
            }
            if (status.isFlushed() || (closed && !status.isSuccess())) {
                // Closing stops this request. It is reported with the others that the end flushes.
                continue;
            }
            if (completions.isReceive(i)) {
                received(completions, i, status, ended, invalidations);
            } else {
                sends.completed(completions.sequence(i), status.status(), ended, invalidations);
            }
        }
        if (failure == null && !closed) {
            receives.post();
            sends.transmit();
        }
        return new Reaped(ended, invalidations, failure, sends.fault() != null ? sends.fault() : receives.fault());
    }

    private void received(
            CompletionBuffer completions,
            int index,
            WorkStatus status,
            List<Completion> ended,
            List<Runnable> invalidations) {
        OptionalInt invalidated = status.isSuccess() && completions.mayInvalidate(index)
                ? invalidated(completions.invalidatedKey(index), invalidations)
                : OptionalInt.empty();
        receives.completed(completions.sequence(index), status.status(), completions.length(index), invalidated, ended);
    }

    /** On the loop: processes completed Receives of a shared queue. */
    synchronized Reaped received(List<NativeSharedReceiveQueue.Ended> receives) {
        List<Completion> ended = new ArrayList<>(receives.size());
        List<Runnable> invalidations = new ArrayList<>();
        WorkStatus failure = null;
        for (NativeSharedReceiveQueue.Ended receive : receives) {
            WorkStatus status = receive.status();
            if (!status.isSuccess() && (failure == null || failure.isFlushed())) {
                failure = status;
            }
            OptionalInt invalidated = status.isSuccess() && receive.mayInvalidate()
                    ? invalidated(receive.key(), invalidations)
                    : OptionalInt.empty();
            Status said = closed && !status.isSuccess() ? Status.FLUSHED : status.status();
            int length = status.isSuccess() ? receive.length() : 0;
            ended.add(new Completion(receive.receive().id(), Operation.RECEIVE, said, length, invalidated));
        }
        return new Reaped(ended, invalidations, failure, sends.fault());
    }

    /** The key that the peer has invalidated; empty if it was not exposed to the peer. */
    private OptionalInt invalidated(int key, List<Runnable> invalidations) {
        if (!strategy.exposes(key)) {
            return OptionalInt.empty();
        }
        invalidations.add(() -> strategy.invalidated(key));
        return OptionalInt.of(key);
    }

    /** On the loop: stops posting. Requests that fail from here on are reported as flushed. */
    synchronized void close() {
        closed = true;
    }

    /** On the loop, if the queue pair could not be destroyed: deregisters the memory of all outstanding requests. */
    synchronized void withdraw() {
        sends.withdraw();
        receives.withdraw();
    }

    /** On the loop, after the queue pair has been destroyed: the completions of all outstanding requests, in order. */
    synchronized List<Completion> flush() {
        List<Completion> ended = new ArrayList<>();
        sends.flush(ended);
        receives.flush(ended);
        return ended;
    }
}
