// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread does the work that completes a call: the one that waits for the call, if there is one, since it has to wake up
 * anyway; else one of an executor. Safe for use by several threads.
 */
final class Completer {
    /** In place of a waiting thread once the work has gone to somebody. */
    private static final CompletableFuture<Runnable> GONE = CompletableFuture.completedFuture(() -> {});

    /** What the waiting thread waits for; null if none waits. */
    private final AtomicReference<@Nullable CompletableFuture<Runnable>> waiting = new AtomicReference<>();

    /** Has the work done, once and soon. */
    void complete(Runnable work, Executor otherwise) {
        CompletableFuture<Runnable> waiter = waiting.getAndSet(GONE);
        if (waiter == null || !waiter.complete(work)) {
            otherwise.execute(work);
        }
    }

    /** The call has completed, perhaps without any of this: nobody needs to wait any longer. */
    void over() {
        complete(() -> {}, Runnable::run);
    }

    /**
     * Waits for the work and does it. Returns at once where the work has gone elsewhere or another thread waits already.
     *
     * @throws InterruptedException if interrupted; work that had been handed over is done first
     */
    void await() throws InterruptedException {
        CompletableFuture<Runnable> handedOver = new CompletableFuture<>();
        if (!waiting.compareAndSet(null, handedOver)) {
            return;
        }
        try {
            handedOver.get().run();
        } catch (InterruptedException interrupted) {
            if (!waiting.compareAndSet(handedOver, null)) {
                handedOver.join().run();
            }
            throw interrupted;
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
