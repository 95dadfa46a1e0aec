// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.server.HandlerThreads.NoThread;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads run the calls of a server, and how many of them are woken. */
@Timeout(60)
final class HandlerThreadsTest {
    private final AtomicInteger woken = new AtomicInteger();
    private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    private volatile boolean exhausted;
    private volatile @Nullable Error failure;
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(3, 3, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread) {
                @Override
                public void execute(Runnable command) {
                    woken.incrementAndGet();
                    if (failure != null) {
                        throw failure;
                    }
                    super.execute(command);
                }
            };
    private final HandlerThreads threads = new HandlerThreads(pool);

    private Thread thread(Runnable work) {
        if (exhausted) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(work);
    }

    @AfterEach
    void close() {
        threads.close();
    }

    /** Reports what happens to it. */
    private class Reporting implements HandlerThreads.Task {
        private final Object name;

        Reporting(Object name) {
            this.name = name;
        }

        @Override
        public void run() {
            events.add(name);
        }

        @Override
        public void rejected(NoThread why) {
            events.add(why);
        }
    }

    private final class Blocking extends Reporting {
        private final CountDownLatch end = new CountDownLatch(1);

        Blocking() {
            super("interrupted");
        }

        @Override
        public void run() {
            events.add("begun");
            try {
                end.await();
            } catch (InterruptedException e) {
                super.run();
            }
        }
    }

    private List<Object> next(int count) throws InterruptedException {
        List<Object> next = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            next.add(events.poll(20, TimeUnit.SECONDS));
        }
        return next;
    }

    @Test
    void aTaskRunsOnlyWhenAThreadHasBeenWoken() throws Exception {
        threads.add(new Reporting(1));
        assertThat(events.poll(50, TimeUnit.MILLISECONDS)).isNull();

        threads.wake();
        assertThat(next(1)).containsExactly(1);
    }

    @Test
    void noThreadIsWokenWhereNoTaskWaits() {
        threads.wake();
        assertThat(woken).hasValue(0);
    }

    @Test
    void tasksThatAreAddedWhileAThreadIsOnItsWayWakeNoOther() throws Exception {
        List<Blocking> all = occupyAllThreads();
        woken.set(0);

        // All threads of the pool are busy, so none of them begins to look for tasks.
        for (int i = 0; i < 100; i++) {
            threads.add(new Reporting(i));
            threads.wake();
        }
        assertThat(woken).hasValue(1);
        all.get(0).end.countDown();
        assertThat(next(100)).hasSize(100).doesNotContainNull().isSubsetOf(numbers(100));
        all.get(1).end.countDown();
        all.get(2).end.countDown();
    }

    private List<Blocking> occupyAllThreads() throws InterruptedException {
        List<Blocking> all = List.of(new Blocking(), new Blocking(), new Blocking());
        all.forEach(threads::add);
        threads.wake();
        assertThat(next(3)).containsOnly("begun");
        return all;
    }

    private static List<Object> numbers(int count) {
        List<Object> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    @Test
    void aTaskThatBlocksDelaysNoOther() throws Exception {
        Blocking blocking = new Blocking();
        threads.add(blocking);
        threads.add(new Reporting("second"));
        threads.wake();
        assertThat(next(2)).containsExactlyInAnyOrder("begun", "second");
        blocking.end.countDown();
    }

    @Test
    void aTaskThatThrowsDelaysNoOther() throws Exception {
        threads.add(new Reporting("thrown") {
            @Override
            public void run() {
                super.run();
                throw new IllegalStateException("as the test wants");
            }
        });
        threads.add(new Reporting("second"));
        threads.wake();
        assertThat(next(2)).containsExactlyInAnyOrder("thrown", "second");
    }

    @Test
    void anInterruptOfOneTaskDoesNotReachTheNext() throws Exception {
        threads.add(new Reporting("interrupting") {
            @Override
            public void run() {
                // Added by the only thread that is awake, which therefore runs it.
                threads.add(new Reporting("next") {
                    @Override
                    public void run() {
                        events.add(Thread.currentThread().isInterrupted());
                    }
                });
                Thread.currentThread().interrupt();
            }
        });
        threads.wake();
        assertThat(next(1)).containsExactly(false);
    }

    @Test
    void tasksAreRejectedIfThereIsNoThread() throws Exception {
        exhausted = true;
        threads.add(new Reporting("first") {
            @Override
            public void rejected(NoThread why) {
                super.rejected(why);
                // As when a waiting call takes the place of the rejected one.
                threads.add(new Reporting("second"));
                threads.wake();
            }
        });
        threads.wake();
        assertThat(next(2)).containsOnly(NoThread.EXHAUSTED);

        exhausted = false;
        threads.add(new Reporting("third"));
        threads.wake();
        assertThat(next(1)).containsExactly("third");
    }

    @Test
    void tasksWaitForTheThreadsThatThereAreIfTheSystemStartsNoOther() throws Exception {
        Blocking first = new Blocking();
        threads.add(first);
        threads.wake();
        assertThat(next(1)).containsExactly("begun");

        exhausted = true;
        for (int i = 0; i < 100; i++) {
            threads.add(new Reporting(i));
            threads.wake();
        }
        assertThat(events.poll(50, TimeUnit.MILLISECONDS)).isNull();
        first.end.countDown();
        assertThat(next(100)).doesNotContainNull().isSubsetOf(numbers(100));

        // A thread that has nothing to do also takes it.
        threads.add(new Reporting("later"));
        threads.wake();
        assertThat(next(1)).containsExactly("later");
    }

    @Test
    void aFailureToCallAThreadDoesNotKeepLaterTasksWaiting() throws Exception {
        failure = new StackOverflowError("as the test wants");
        threads.add(new Reporting("first"));
        assertThatThrownBy(threads::wake).isSameAs(failure);

        failure = null;
        threads.wake();
        assertThat(next(1)).containsExactly("first");
    }

    @Test
    void aRejectionThatFailsDoesNotKeepTheOtherTasks() throws Exception {
        exhausted = true;
        threads.add(new Reporting("first") {
            @Override
            public void rejected(NoThread why) {
                throw new IllegalStateException("as the test wants");
            }
        });
        threads.add(new Reporting("second"));
        threads.wake();
        assertThat(next(1)).containsExactly(NoThread.EXHAUSTED);
    }

    @Test
    void closeInterruptsRunningTasksAndRejectsTheOthers() throws Exception {
        occupyAllThreads();
        threads.add(new Reporting("fourth"));
        threads.wake();
        threads.close();
        assertThat(next(4)).contains("interrupted", "interrupted", "interrupted", NoThread.CLOSED);

        threads.add(new Reporting("fifth"));
        threads.wake();
        assertThat(next(1)).containsExactly(NoThread.CLOSED);
    }
}
