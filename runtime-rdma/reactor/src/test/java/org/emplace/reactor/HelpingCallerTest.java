// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that waits for its reply does the loop's work. It is not certain which thread does it, so tests try until it is the caller. */
@Timeout(60)
final class HelpingCallerTest {
    private final SocketHandler sockets;
    private final EventLoop loop;
    private final EchoCaller caller;

    HelpingCallerTest() throws Exception {
        sockets = new SocketHandler("helping-test");
        loop = sockets.loop();
        caller = new EchoCaller(sockets);
    }

    @AfterEach
    void close() throws Exception {
        caller.close();
        loop.shutDown(Duration.ZERO);
    }

    @Test
    void aCallerThatComesBackSoonReadsItsReplyItself() throws Exception {
        callUntilOnOwnThread();
    }

    @Test
    void aHelperServesTasksTimersAndOtherChannels() throws Exception {
        Set<Thread> servants = ConcurrentHashMap.newKeySet();
        try (EchoCaller other = new EchoCaller(sockets)) {
            do {
                servants.clear();
                callWhile(() -> {
                    servants.add(runnerOfATask());
                    servants.add(runnerOfATimer());
                    other.send();
                    servants.add(other.reply());
                });
            } while (!servants.equals(Set.of(Thread.currentThread())));
        }
    }

    @Test
    void theLoopsThreadServesWhereTheCallerStaysAway() throws Exception {
        callUntilOnOwnThread();
        caller.send();
        assertThat(caller.reply().getName()).isEqualTo("helping-test");

        callUntilOnOwnThread();
        assertThat(runnerOfATask().getName()).isEqualTo("helping-test");

        callUntilOnOwnThread();
        CompletableFuture<Thread> fired = new CompletableFuture<>();
        loop.executeHere(() -> loop.schedule(Duration.ofMillis(1), () -> fired.complete(Thread.currentThread())));
        assertThat(fired.get(20, TimeUnit.SECONDS).getName()).isEqualTo("helping-test");
    }

    @Test
    void whoPostsWhileNobodyLeadsWakesTheLoopsThread() throws Exception {
        callUntilOnOwnThread();
        CompletableFuture<Thread> done = new CompletableFuture<>();
        try (EchoCaller other = new EchoCaller(sockets)) {
            new Thread(() -> loop.executeHere(() -> {
                        try {
                            other.send();
                            done.complete(Thread.currentThread());
                        } catch (Exception e) {
                            done.completeExceptionally(e);
                        }
                    }))
                    .start();
            done.get(20, TimeUnit.SECONDS);
            assertThat(other.reply().getName()).isEqualTo("helping-test");
        }
    }

    @Test
    void anInterruptedHelperLeavesAndStaysInterrupted() throws Exception {
        Thread me = Thread.currentThread();
        whileHelping(me::interrupt, () -> false);
        assertThat(Thread.interrupted()).isTrue();

        callUntilOnOwnThread();
    }

    @Test
    void aHelperIsWokenByWhoFulfilsItsWishElsewhere() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        whileHelping(
                () -> {
                    done.set(true);
                    loop.wakePoller();
                },
                done::get);
    }

    @Test
    void aHelperLeavesAtTheEndOfTheLoop() throws Exception {
        whileHelping(() -> loop.shutDown(Duration.ZERO), () -> false);
        loop.await(Duration.ofSeconds(20));
        CompletableFuture<Thread> runner = new CompletableFuture<>();
        loop.execute(() -> runner.complete(Thread.currentThread()));
        assertThat(runner).isCompletedWithValue(Thread.currentThread());
        loop.pollUntil(() -> false);
    }

    @Test
    void nothingIsLostWhereManyCallersHelp() throws Exception {
        List<CompletableFuture<Void>> outcomes = new ArrayList<>();
        AtomicInteger answered = new AtomicInteger();
        for (int t = 0; t < 8; t++) {
            int calls = t < 2 ? 5_000 : 500;
            outcomes.add(inThread(() -> {
                try (EchoCaller own = new EchoCaller(sockets)) {
                    for (int i = 0; i < calls; i++) {
                        own.call();
                        answered.incrementAndGet();
                    }
                    assertThat(own.isAnswered()).isFalse();
                }
            }));
        }
        AtomicInteger tasks = new AtomicInteger();
        outcomes.add(inThread(() -> {
            for (int i = 0; i < 5_000; i++) {
                CompletableFuture<Integer> done = new CompletableFuture<>();
                if (i % 2 == 0) {
                    loop.execute(() -> done.complete(tasks.incrementAndGet()));
                } else {
                    loop.executeHere(() -> loop.schedule(Duration.ZERO, () -> done.complete(tasks.incrementAndGet())));
                }
                done.get(20, TimeUnit.SECONDS);
            }
        }));
        for (CompletableFuture<Void> outcome : outcomes) {
            outcome.get(50, TimeUnit.SECONDS);
        }
        assertThat(answered).hasValue(2 * 5_000 + 6 * 500);
        assertThat(tasks).hasValue(5_000);
    }

    private void callUntilOnOwnThread() throws Exception {
        while (caller.call() != Thread.currentThread()) {
            // Try again.
        }
    }

    /** Runs a step on another thread while this one helps and waits for a reply, which is sent only after the step. */
    private void callWhile(Step step) throws Exception {
        callUntilOnOwnThread();
        caller.echoes.drainPermits();
        CompletableFuture<Void> outcome = inThread(() -> {
            try {
                step.run();
            } finally {
                caller.echoes.release(Integer.MAX_VALUE / 2);
            }
        });
        caller.call();
        outcome.get(20, TimeUnit.SECONDS);
    }

    /** Helps until {@code done}, while another thread runs {@code step}. */
    private void whileHelping(Runnable step, BooleanSupplier done) throws Exception {
        Thread me = Thread.currentThread();
        AtomicBoolean helped = new AtomicBoolean();
        while (!helped.get()) {
            AtomicBoolean given = new AtomicBoolean();
            Semaphore asked = new Semaphore(0);
            CompletableFuture<Void> outcome = inThread(() -> {
                asked.acquire();
                if (runnerOfATask() == me) {
                    helped.set(true);
                    step.run();
                } else {
                    given.set(true);
                    loop.wakePoller();
                }
            });
            callUntilOnOwnThread();
            asked.release();
            loop.pollUntil(() -> given.get() || done.getAsBoolean());
            boolean interrupted = Thread.interrupted();
            outcome.get(20, TimeUnit.SECONDS);
            if (interrupted) {
                me.interrupt();
            }
        }
    }

    private Thread runnerOfATask() throws Exception {
        CompletableFuture<Thread> runner = new CompletableFuture<>();
        loop.execute(() -> runner.complete(Thread.currentThread()));
        return runner.get(20, TimeUnit.SECONDS);
    }

    private Thread runnerOfATimer() throws Exception {
        CompletableFuture<Thread> runner = new CompletableFuture<>();
        loop.execute(() -> loop.schedule(Duration.ofMillis(1), () -> runner.complete(Thread.currentThread())));
        return runner.get(20, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> inThread(Step step) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        step.run();
                        outcome.complete(null);
                    } catch (Throwable e) {
                        outcome.completeExceptionally(e);
                    }
                })
                .start();
        return outcome;
    }

    private interface Step {
        void run() throws Exception;
    }
}
