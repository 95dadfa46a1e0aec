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
 * The two queues of a queue pair behind one lock: any thread posts, on the thread itself; the loop accounts for what the device completes. Methods
 * that post return why nothing can be posted any more, or null if posting works.
 */
final class WorkQueues {
    /**
     * The results of a batch of the device's completions.
     *
     * @param ended for the handler
     * @param invalidations to be run first
     * @param failure how the first unsuccessful request ended, preferably one that says why instead of one that was flushed; null if all succeeded
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
     * From now on what is posted is counted, as are the Receives that have been posted before, and Reads go out.
     *
     * @param outboundReads that the peer answers
     */
    synchronized void established(ConnectionCounters counting, int outboundReads) {
        counters = counting;
        counting.receivesPosted(postedBefore);
        sends.negotiated(outboundReads);
    }

    /** Posts Receives; none once closed. */
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

    /** Posts work requests; none once closed. */
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

    /** Posts what memory windows need, or a probe; nothing once closed. */
    synchronized @Nullable RdmaException post(SendItem item) {
        if (closed) {
            return null;
        }
        sends.add(item);
        sends.transmit();
        return sends.fault();
    }

    /** On the loop: accounts for the first {@code count} completions, and gives the device what waited for their room. */
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
                // Stopped by the end, with whose rest it is reported.
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

    /** On the loop: accounts for Receives of a shared queue. */
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

    /** The key that the peer has invalidated; empty if it is none that was exposed to it. */
    private OptionalInt invalidated(int key, List<Runnable> invalidations) {
        if (!strategy.exposes(key)) {
            return OptionalInt.empty();
        }
        invalidations.add(() -> strategy.invalidated(key));
        return OptionalInt.of(key);
    }

    /** On the loop: nothing is posted from now on, and no request ends in error any more. */
    synchronized void close() {
        closed = true;
    }

    /** On the loop: the queue pair could not be destroyed; takes the memory of what has not ended out of the device's reach. */
    synchronized void withdraw() {
        sends.withdraw();
        receives.withdraw();
    }

    /** On the loop, after the queue pair has been destroyed: the ends of all that has not ended, in order. */
    synchronized List<Completion> flush() {
        List<Completion> ended = new ArrayList<>();
        sends.flush(ended);
        receives.flush(ended);
        return ended;
    }
}
