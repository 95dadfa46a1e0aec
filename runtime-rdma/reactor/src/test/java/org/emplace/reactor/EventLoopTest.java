// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a loop serves its channels, and when its thread starts and ends. */
@Timeout(60)
final class EventLoopTest {
    private final SocketHandler sockets;
    private final EventLoop loop;

    EventLoopTest() throws IOException {
        sockets = new SocketHandler("loop-test", Selector.open(), 1);
        loop = sockets.loop();
    }

    @AfterEach
    void shutDown() {
        loop.shutDown(Duration.ZERO);
    }

    @Test
    void theThreadEndsWhenThereIsNothingToDoAndAnotherStartsWithTheNextTask() throws Exception {
        Thread first = threadOf(loop);
        awaitEnd(first);

        Thread second = threadOf(loop);
        assertThat(second).isNotSameAs(first);
        awaitEnd(second);
    }

    @Test
    void noTaskIsLostWhereThreadsEndAndStart() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            CompletableFuture<Integer> done = new CompletableFuture<>();
            int number = i;
            if (i % 2 == 0) {
                loop.execute(() -> done.complete(number));
            } else {
                loop.executeHere(() -> loop.schedule(Duration.ZERO, () -> done.complete(number)));
            }
            assertThat(done.get(20, TimeUnit.SECONDS)).isEqualTo(i);
            LockSupport.parkNanos((i % 20) * 100_000L);
        }
    }

    @Test
    void aCallerRunsAFewTasksAndLeavesFurtherOnesToTheNextRound() throws Exception {
        Thread loopThread = threadThatStays();
        for (int burst = 0; burst < 3; burst++) {
            awaitSleep(loopThread);
            List<Thread> ran = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                loop.executeHere(() -> ran.add(Thread.currentThread()));
            }
            assertThat(ran).hasSize(4).containsOnly(Thread.currentThread());

            CompletableFuture<Thread> fifth = new CompletableFuture<>();
            loop.executeHere(() -> fifth.complete(Thread.currentThread()));
            assertThat(fifth.get(20, TimeUnit.SECONDS)).isSameAs(loopThread);
        }
    }

    private Thread threadThatStays() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.execute(() -> {
            loop.schedule(Duration.ofHours(1), () -> {});
            thread.complete(Thread.currentThread());
        });
        return thread.get(20, TimeUnit.SECONDS);
    }

    private static void awaitSleep(Thread thread) {
        // A thread in a selector counts as runnable; it is asleep if it no longer uses the processor.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Awaitility.await().during(Duration.ofMillis(50)).until(() -> {
            long before = threads.getThreadCpuTime(thread.getId());
            Thread.sleep(5);
            return threads.getThreadCpuTime(thread.getId()) == before;
        });
    }

    @Test
    void theThreadStaysForATimer() throws Exception {
        CompletableFuture<Thread> fired = new CompletableFuture<>();
        CompletableFuture<Thread> scheduled = new CompletableFuture<>();
        loop.execute(() -> {
            loop.schedule(Duration.ofMillis(200), () -> fired.complete(Thread.currentThread()));
            scheduled.complete(Thread.currentThread());
        });

        assertThat(fired.get(20, TimeUnit.SECONDS)).isSameAs(scheduled.join());
        awaitEnd(fired.join());
    }

    @Test
    void theThreadStaysForAChannelUntilThatIsClosed() throws Exception {
        Pipe pipe = pipe();
        CompletableFuture<Thread> registered = register(pipe, new Reader(pipe));
        Thread thread = registered.get(20, TimeUnit.SECONDS);
        thread.join(50);
        assertThat(thread.isAlive()).isTrue();

        sockets.close(pipe.source());
        awaitEnd(thread);
        pipe.sink().close();
    }

    @Test
    void aThreadThatEndsForgetsWhatCallersWaitedFor() throws Exception {
        Pipe pipe = pipe();
        Thread thread = register(pipe, new Reader(pipe)).get(20, TimeUnit.SECONDS);
        WeakReference<AtomicBoolean> waitedFor = offerHelp();
        sockets.close(pipe.source());
        awaitEnd(thread);
        pipe.sink().close();
        Awaitility.await().until(() -> {
            System.gc();
            return waitedFor.get() == null;
        });
    }

    private WeakReference<AtomicBoolean> offerHelp() {
        AtomicBoolean done = new AtomicBoolean();
        loop.pollUntil(done::get);
        return new WeakReference<>(done);
    }

    @Test
    void aThreadUsesTheMemoryOfTheOneBeforeItUnlessThatHasBeenCollected() throws Exception {
        // Tried again if the garbage collector has run in between.
        Awaitility.await().untilAsserted(() -> assertThat(scratchOfNextThread()).isSameAs(scratchOfNextThread()));

        WeakReference<ByteBuffer> left = new WeakReference<>(scratchOfNextThread());
        Awaitility.await().until(() -> {
            System.gc();
            return left.get() == null;
        });
    }

    /** The thread has ended when this returns. */
    private ByteBuffer scratchOfNextThread() throws Exception {
        CompletableFuture<ByteBuffer> scratch = new CompletableFuture<>();
        loop.execute(() -> scratch.complete(sockets.scratch()));
        awaitEnd(threadOf(loop));
        return scratch.join();
    }

    @Test
    void whatOneChannelThrowsEndsThatChannelOnly() throws Exception {
        Pipe broken = pipe();
        Pipe sound = pipe();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Reader reader = new Reader(sound);
        register(broken, new Reader(broken) {
                    @Override
                    public void ready(SelectionKey key) {
                        throw new StackOverflowError("as the test wants it");
                    }

                    @Override
                    public void failed(Throwable cause) {
                        sockets.close(broken.source());
                        failure.complete(cause);
                    }
                })
                .join();
        register(sound, reader).join();

        broken.sink().write(ByteBuffer.allocate(1));
        assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOf(StackOverflowError.class);
        sound.sink().write(ByteBuffer.allocate(1));
        Awaitility.await().until(() -> reader.bytes.get() == 1);

        sockets.close(sound.source());
        broken.sink().close();
        sound.sink().close();
    }

    @Test
    void tasksThatFailDoNotFloodTheLog() {
        LoopTasks tasks = new LoopTasks("loop");
        try (LoggedBy logged = LoggedBy.logger(EventLoop.class)) {
            for (int i = 0; i < 1000; i++) {
                tasks.guarded(() -> {
                    throw new IllegalStateException("as the test wants it");
                });
            }
            assertThat(logged.messages()).hasSize(10);
        }
    }

    @Test
    void anInterruptedLoopGoesOnAndSleeps() throws Exception {
        Pipe pipe = pipe();
        Reader reader = new Reader(pipe);
        Thread thread = register(pipe, reader).join();

        thread.interrupt();
        pipe.sink().write(ByteBuffer.allocate(1));
        Awaitility.await().until(() -> reader.bytes.get() == 1);
        // Bounds the processor time: spinning would take a whole second.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getThreadCpuTime(thread.getId());
        Thread.sleep(1_000);
        assertThat(threads.getThreadCpuTime(thread.getId()) - before).isBetween(0L, 500_000_000L);

        sockets.close(pipe.source());
        pipe.sink().close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSelectorThatKeepsFailingIsTriedWithPausesAndLoggedSeldom(boolean byError) throws Exception {
        try (FailingSelector selector = new FailingSelector(byError);
                LoggedBy logged = LoggedBy.logger(EventLoop.class)) {
            EventLoop failing = new SocketHandler("failing", selector, 60_000).loop();
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            failing.execute(() -> done.complete(true));
            assertThat(done.get(20, TimeUnit.SECONDS)).isTrue();
            Awaitility.await().until(() -> selector.failures.get() >= 9);

            assertThat(logged.messages()).hasSizeBetween(4, 5).allMatch(message -> message.contains("select failed"));
            selector.repaired = true;
            CompletableFuture<Boolean> again = new CompletableFuture<>();
            failing.execute(() -> again.complete(true));
            assertThat(again.get(20, TimeUnit.SECONDS)).isTrue();
            failing.shutDown(Duration.ZERO);
            failing.await(Duration.ofSeconds(20));
        }
    }

    @Test
    void aLogThatThrowsDoesNotEndTheThread() throws Exception {
        Handler throwing = new Handler() {
            @Override
            public void publish(LogRecord record) {
                throw new OutOfMemoryError("as the test wants it");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(EventLoop.class.getName());
        logger.addHandler(throwing);
        try {
            Pipe pipe = pipe();
            Thread thread = register(pipe, new Reader(pipe)).get(20, TimeUnit.SECONDS);
            loop.execute(() -> {
                throw new IllegalStateException("as the test wants it");
            });
            assertThat(threadOf(loop)).isSameAs(thread);
        } finally {
            logger.removeHandler(throwing);
        }
    }

    @Test
    void threadsBelongToTheRuntimeAndNotToWhoNeedsThemFirst() throws Exception {
        CompletableFuture<Thread> outcome = new CompletableFuture<>();
        ThreadGroup group = new ThreadGroup("an application");
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        CompletableFuture<String> inherited = new CompletableFuture<>();
        Thread application = new Thread(group, () -> {
            local.set("of the application");
            Thread.currentThread().setContextClassLoader(new ClassLoader() {});
            loop.execute(() -> {
                inherited.complete(String.valueOf(local.get()));
                outcome.complete(Thread.currentThread());
            });
        });
        application.start();
        application.join();

        Thread thread = outcome.get(20, TimeUnit.SECONDS);
        assertThat(inherited.join()).isEqualTo("null");
        assertThat(thread.getContextClassLoader()).isSameAs(EventLoop.class.getClassLoader());
        assertThat(thread.isDaemon()).isTrue();
        assertThat(group.activeCount()).isZero();
    }

    private static Thread threadOf(EventLoop loop) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.execute(() -> thread.complete(Thread.currentThread()));
        return thread.get(20, TimeUnit.SECONDS);
    }

    private static void awaitEnd(Thread thread) throws InterruptedException {
        thread.join(20_000);
        assertThat(thread.isAlive()).isFalse();
    }

    private static Pipe pipe() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        return pipe;
    }

    private CompletableFuture<Thread> register(Pipe pipe, SocketHandler.Attachment attachment) {
        CompletableFuture<Thread> registered = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                sockets.register(pipe.source(), SelectionKey.OP_READ, attachment);
                registered.complete(Thread.currentThread());
            } catch (IOException e) {
                registered.completeExceptionally(e);
            }
        });
        return registered;
    }

    /** Counts the bytes that arrive. */
    private class Reader implements SocketHandler.Attachment {
        private final Pipe pipe;
        private final AtomicInteger bytes = new AtomicInteger();

        Reader(Pipe pipe) {
            this.pipe = pipe;
        }

        @Override
        public void ready(SelectionKey key) {
            try {
                bytes.addAndGet(pipe.source().read(sockets.scratch()));
            } catch (IOException e) {
                failed(e);
            }
        }

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void shutDown() {
            sockets.close(pipe.source());
        }
    }
}
