// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of threads that complete calls, and that every task runs. */
@Timeout(60)
final class WorkersTest {
    /** More than any machine has processors. */
    private static final int MANY = 3_000;

    @Test
    void manyTasksAtOnceStartFewThreads() throws Exception {
        Executor threads = Workers.daemons("callbacks-of-many");
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            threads.execute(() -> {
                awaitQuietly(release);
                done.countDown();
            });
        }

        assertThat(alive("callbacks-of-many")).isBetween(1L, MANY / 2L);
        release.countDown();
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        await().until(() -> alive("callbacks-of-many") == 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tasksThatWaitForLaterTasksAllEnd(boolean together) throws Exception {
        Workers threads = new Workers.Threads(Thread::new, 2);
        CountDownLatch[] done = new CountDownLatch[10];
        for (int i = 0; i < done.length; i++) {
            done[i] = new CountDownLatch(1);
        }
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < done.length; i++) {
            int number = i;
            tasks.add(() -> {
                if (number + 1 < done.length) {
                    awaitQuietly(done[number + 1]);
                }
                done[number].countDown();
            });
        }
        if (together) {
            threads.executeAll(tasks);
        } else {
            tasks.forEach(threads::execute);
        }

        assertThat(done[0].await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withoutAThreadTheCallerRunsTheTask() {
        Executor threads = new Workers.Threads(new Scarce(0), 2);
        AtomicBoolean done = new AtomicBoolean();

        threads.execute(() -> threads.execute(() -> done.set(true)));

        assertThat(done).isTrue();
    }

    @Test
    void ifOnlyOneThreadCanStartItRunsAllTasks() throws Exception {
        Executor threads = new Workers.Threads(new Scarce(1), 2);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        threads.execute(() -> awaitQuietly(release));
        threads.execute(() -> {
            assertThat(Thread.currentThread()).isNotSameAs(caller);
            done.countDown();
        });

        release.countDown();

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aTaskThatThrowsOrIsInterruptedDoesNotEndItsThread() throws Exception {
        Executor threads = new Workers.Threads(new Scarce(1), 1);
        CountDownLatch done = new CountDownLatch(1);
        threads.execute(() -> {
            Thread.currentThread().interrupt();
            throw new StackOverflowError("as the test wants it");
        });
        threads.execute(done::countDown);

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static long alive(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Creates a limited number of threads. */
    private static final class Scarce implements ThreadFactory {
        private final AtomicInteger left;

        Scarce(int threads) {
            left = new AtomicInteger(threads);
        }

        @Override
        public Thread newThread(Runnable task) {
            return new Thread(task) {
                @Override
                public synchronized void start() {
                    if (left.getAndDecrement() <= 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                }
            };
        }
    }
}
