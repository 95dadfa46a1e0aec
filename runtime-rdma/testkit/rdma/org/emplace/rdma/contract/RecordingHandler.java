// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.jspecify.annotations.Nullable;

/** Records a queue pair's events, for a test to take in order, and violations of the handler's contract. */
public class RecordingHandler implements Handler {
    /** Bounds every wait for a provider, with room for an emulated machine under load. */
    static final int TIMEOUT_SECONDS = 30;

    private final CompletableFuture<QueuePair> queuePair = new CompletableFuture<>();
    private final BlockingQueue<Completion> completions = new LinkedBlockingQueue<>();
    private final CompletableFuture<Optional<RdmaException>> end = new CompletableFuture<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private volatile @Nullable ReceiveRequest reposted;
    private final AtomicBoolean busy = new AtomicBoolean();

    @Override
    public final void established(QueuePair established) {
        called("established", () -> {
            if (!queuePair.complete(established)) {
                faults.add("established twice");
            }
            onEstablished(established);
        });
    }

    @Override
    public final void completed(List<Completion> batch) {
        called("completed", () -> {
            if (!queuePair.isDone()) {
                faults.add("completed before established");
            }
            completions.addAll(batch);
            onCompleted(batch);
            repostFor(batch);
        });
    }

    @Override
    public final void disconnected(@Nullable RdmaException cause) {
        called("disconnected", () -> {
            onDisconnected();
            end.complete(Optional.ofNullable(cause));
        });
    }

    private void repostFor(List<Completion> batch) {
        ReceiveRequest again = reposted;
        if (again != null && batch.stream().allMatch(completion -> completion.status() == Status.SUCCESS)) {
            batch.forEach(completion -> known().postReceive(again));
        }
    }

    /** Posts this Receive whenever it has completed; there must be no other work. */
    public void repost(ReceiveRequest receive) {
        reposted = receive;
    }

    /** For a test to override. Called on the provider's thread. */
    void onEstablished(QueuePair established) {}

    /** For a test to override. Called on the provider's thread. */
    void onCompleted(List<Completion> batch) {}

    /** For a test to override. Called on the provider's thread. */
    void onDisconnected() {}

    private void called(String what, Runnable action) {
        if (!busy.compareAndSet(false, true)) {
            faults.add(what + " called while another call was going on");
        }
        if (end.isDone()) {
            faults.add(what + " called after disconnected");
        }
        try {
            action.run();
        } finally {
            busy.set(false);
        }
    }

    public QueuePair queuePair() throws Exception {
        return queuePair.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** The queue pair, for use on the provider's thread after it is established. */
    final QueuePair known() {
        return queuePair.join();
    }

    boolean isEstablished() {
        return queuePair.isDone();
    }

    /** The next completion. */
    public Completion next() throws Exception {
        Completion next = completions.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError(
                    "no completion came; the connection has " + (end.isDone() ? "ended: " + end.get() : "not ended"));
        }
        return next;
    }

    /** The next completions. */
    List<Completion> next(int count) throws Exception {
        List<Completion> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.add(next());
        }
        return taken;
    }

    /** The completions that have not been taken. */
    public List<Completion> rest() {
        return List.copyOf(completions);
    }

    /** Waits until the connection has ended. Returns the cause; empty for an orderly close. */
    public Optional<RdmaException> end() throws Exception {
        Optional<RdmaException> cause = end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(faults).isEmpty();
        return cause;
    }

    public boolean hasEnded() {
        return end.isDone();
    }
}
