// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.jspecify.annotations.Nullable;

/** Records the calls of a queue pair's handler, for a test to take in order. */
final class RecordingHandler implements QueuePairHandler {
    private static final int TIMEOUT_SECONDS = 20;

    private final CompletableFuture<QueuePair> queuePair = new CompletableFuture<>();
    private final BlockingQueue<Completion> completions = new LinkedBlockingQueue<>();
    private final CompletableFuture<Optional<RdmaException>> end = new CompletableFuture<>();
    private volatile @Nullable ReceiveRequest reposted;
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger completionsAfterEnd = new AtomicInteger();

    @Override
    public void established(QueuePair established) {
        queuePair.complete(established);
    }

    @Override
    public void completed(List<Completion> batch) {
        completions.addAll(batch);
        completionsAfterEnd.addAndGet(end.isDone() ? batch.size() : 0);
        ReceiveRequest again = reposted;
        if (again != null && batch.stream().allMatch(completion -> completion.status() == Status.SUCCESS)) {
            batch.forEach(completion -> queuePair.join().postReceive(again));
        }
    }

    /** Posts this Receive whenever it has completed; there must be no other work. */
    void repost(ReceiveRequest receive) {
        reposted = receive;
    }

    @Override
    public void disconnected(@Nullable RdmaException cause) {
        ends.incrementAndGet();
        end.complete(Optional.ofNullable(cause));
    }

    QueuePair queuePair() throws Exception {
        return queuePair.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** The next completion. */
    Completion next() throws Exception {
        Completion next = completions.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no completion came");
        }
        return next;
    }

    /** The completions that have not been taken. */
    List<Completion> rest() {
        return List.copyOf(completions);
    }

    /** Why the connection ended; empty for an orderly close. */
    Optional<RdmaException> end() throws Exception {
        Optional<RdmaException> cause = end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(ends).hasValue(1);
        assertThat(completionsAfterEnd).hasValue(0);
        return cause;
    }

    boolean hasEnded() {
        return end.isDone();
    }
}
