// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.reactor.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A caller that waits serves the loop meanwhile. Which thread serves it is not certain, so tests repeat calls until it is the caller. Here the loop's
 * thread does not check at intervals whether a caller returns, so a test hangs if nobody wakes that thread for a task.
 */
@Timeout(60)
final class HelpedLoopTest {
    private final ExecutorService peers = Executors.newCachedThreadPool();
    private CompletionHandler handler;
    private EventLoop loop;

    @BeforeAll
    static void load() {
        assertThat(NativeLibrary.unavailable()).isEmpty();
    }

    @BeforeEach
    void open() throws Exception {
        handler = new CompletionHandler("helped", Duration.ZERO, Duration.ofHours(1));
        handler.attached();
        loop = handler.loop();
    }

    @AfterEach
    void close() throws Exception {
        loop.shutDown(Duration.ZERO);
        loop.await(Duration.ofSeconds(20));
        peers.shutdown();
    }

    @Test
    void aCallerThatComesBackSoonServesTheLoopItself() throws Exception {
        callUntilOnOwnThread(() -> {});
        assertThat(loop.isCurrent()).isFalse();
    }

    @Test
    void aTimerFiresWhileACallerServes() throws Exception {
        BlockingQueue<Thread> fired = new LinkedBlockingQueue<>();
        callUntilOnOwnThread(() -> loop.schedule(Duration.ofMillis(1), () -> fired.add(Thread.currentThread())));
        loop.pollUntil(() -> !fired.isEmpty());
        assertThat(fired.poll(20, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void theLoopsThreadServesWhereTheCallerStaysAway() throws Exception {
        callUntilOnOwnThread(() -> {});
        BlockingQueue<Thread> runner = new LinkedBlockingQueue<>();
        loop.execute(() -> runner.add(Thread.currentThread()));
        Thread served = runner.poll(20, TimeUnit.SECONDS);
        assertThat(served).isNotNull();
        assertThat(served.getName()).isEqualTo("helped");
    }

    @Test
    void aCallerThatWaitsForLongLeavesTheLoopToItsThread() throws Exception {
        Thread me = Thread.currentThread();
        AtomicBoolean led = new AtomicBoolean();
        BlockingQueue<Thread> fired;
        do {
            BlockingQueue<Thread> later = new LinkedBlockingQueue<>();
            callUntilOnOwnThread(() -> {
                if (Thread.currentThread() == me) {
                    loop.schedule(Duration.ofMillis(200), () -> later.add(Thread.currentThread()));
                }
            });
            loop.pollUntil(() -> {
                led.compareAndSet(false, loop.isCurrent());
                return false;
            });
            fired = later;
        } while (!led.get());
        assertThat(loop.isCurrent()).isFalse();

        Thread served = fired.poll(20, TimeUnit.SECONDS);
        assertThat(served).isNotNull();
        assertThat(served.getName()).isEqualTo("helped");
    }

    @Test
    void withBusyPollingTheCallerThatWaitsPollsTheQueue() throws Exception {
        CompletionHandler busy = new CompletionHandler("busy", CompletionHandler.BUSY, Duration.ofHours(1));
        loop.shutDown(Duration.ZERO);
        loop = busy.loop();
        BlockingQueue<Thread> polledBy = new LinkedBlockingQueue<>();
        Queue queue = new Queue(polledBy);
        loop.execute(() -> busy.activate(queue));
        do {
            queue.completeAfter(Duration.ofMillis(1));
            loop.pollUntil(queue::isPolled);
        } while (polledBy.take() != Thread.currentThread());
        loop.execute(() -> busy.forget(queue));
    }

    /** Has a completion after a time, and records the thread that takes it. */
    private static final class Queue implements CompletionHandler.Source {
        private static final long NEVER = Long.MAX_VALUE;

        private final BlockingQueue<Thread> polledBy;
        private final AtomicLong due = new AtomicLong(NEVER);

        Queue(BlockingQueue<Thread> polledBy) {
            this.polledBy = polledBy;
        }

        void completeAfter(Duration delay) {
            due.set(System.nanoTime() + delay.toNanos());
        }

        boolean isPolled() {
            return due.get() == NEVER;
        }

        @Override
        public boolean poll() {
            if (System.nanoTime() < due.get()) {
                return false;
            }
            due.set(NEVER);
            polledBy.add(Thread.currentThread());
            return true;
        }

        @Override
        public void arm() {
            throw new AssertionError("a queue that is polled busily sends no events");
        }
    }

    @Test
    void anInterruptedCallerLeavesAndStaysInterrupted() throws Exception {
        Thread me = Thread.currentThread();
        callUntilOnOwnThread(() -> {
            if (Thread.currentThread() == me) {
                me.interrupt();
            }
        });
        assertThat(Thread.interrupted()).isTrue();
        callUntilOnOwnThread(() -> {});
    }

    @Test
    void aLoopThatIsStoppedByACallerEnds() throws Exception {
        Thread me = Thread.currentThread();
        callUntilOnOwnThread(() -> {
            if (Thread.currentThread() == me) {
                loop.shutDown(Duration.ZERO);
            }
        });
        loop.await(Duration.ofSeconds(20));
        BlockingQueue<Thread> runner = new LinkedBlockingQueue<>();
        loop.execute(() -> runner.add(Thread.currentThread()));
        assertThat(runner).containsExactly(me);
        loop.pollUntil(() -> false);
    }

    @Test
    void nothingIsLostWhereManyCallersHelp() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        List<Future<?>> outcomes = new ArrayList<>();
        for (int caller = 0; caller < 6; caller++) {
            int calls = caller < 2 ? 2_000 : 300;
            outcomes.add(peers.submit(() -> {
                for (int i = 0; i < calls; i++) {
                    call(answered::incrementAndGet);
                }
                return null;
            }));
        }
        for (Future<?> outcome : outcomes) {
            outcome.get(50, TimeUnit.SECONDS);
        }
        assertThat(answered).hasValue(2 * 2_000 + 4 * 300);
    }

    private void callUntilOnOwnThread(Runnable onTheLoop) throws Exception {
        while (call(onTheLoop) != Thread.currentThread()) {
            // The loop's thread served it: call again.
        }
    }

    /** Has another thread give the loop a task, and helps until it is done. @return the thread that did it */
    private Thread call(Runnable onTheLoop) throws Exception {
        BlockingQueue<Thread> reply = new LinkedBlockingQueue<>();
        peers.execute(() -> loop.execute(() -> {
            onTheLoop.run();
            reply.add(Thread.currentThread());
        }));
        loop.pollUntil(() -> !reply.isEmpty());
        boolean interrupted = Thread.interrupted();
        Thread server = reply.poll(20, TimeUnit.SECONDS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        assertThat(server).isNotNull();
        return server;
    }
}
