// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.reactor.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a loop's thread starts, and when it ends. */
@Timeout(60)
final class CompletionHandlerTest {
    private CompletionHandler handler;
    private EventLoop loop;

    @BeforeAll
    static void load() {
        assertThat(NativeLibrary.unavailable()).isEmpty();
    }

    @BeforeEach
    void open() throws Exception {
        handler = new CompletionHandler("test", Duration.ZERO);
        loop = handler.loop();
    }

    @AfterEach
    void close() throws InterruptedException {
        loop.shutDown(Duration.ZERO);
        loop.await(Duration.ofSeconds(20));
    }

    @Test
    void theThreadInheritsNothingOfWhoeverNeedsItFirst() throws Exception {
        ThreadGroup ofTheCaller = new ThreadGroup("of the caller");
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Thread caller =
                new Thread(ofTheCaller, () -> loop.execute(() -> thread.complete(Thread.currentThread())), "caller");
        caller.setContextClassLoader(new ClassLoader() {});
        caller.start();

        Thread started = thread.get(20, TimeUnit.SECONDS);
        assertThat(started.getThreadGroup().getParent()).isNull();
        assertThat(started.getContextClassLoader()).isSameAs(CompletionHandler.class.getClassLoader());
        assertThat(started.isDaemon()).isTrue();
    }

    @Test
    void theThreadEndsWhenThereIsNothingToDoAndTheNextTaskStartsAnother() throws Exception {
        Thread first = threadOf(loop);
        await().until(() -> !first.isAlive());

        Thread second = threadOf(loop);
        assertThat(second).isNotSameAs(first);
        await().until(() -> !second.isAlive());
    }

    @Test
    void theThreadStaysWhileSomethingIsAttachedOrATimerRuns() throws Exception {
        EventLoop timed = new CompletionHandler("test", Duration.ZERO).loop();
        timed.execute(() -> timed.schedule(Duration.ofHours(1), () -> {}));
        handler.attached();
        Thread attached = threadOf(loop);
        Thread waiting = threadOf(timed);
        EventLoop idle = new CompletionHandler("test", Duration.ZERO).loop();
        Thread ending = threadOf(idle);

        await().until(() -> !ending.isAlive());
        assertThat(attached.isAlive()).isTrue();
        assertThat(waiting.isAlive()).isTrue();

        loop.execute(handler::detached);
        await().until(() -> !attached.isAlive());
        idle.shutDown(Duration.ZERO);
        timed.shutDown(Duration.ZERO);
    }

    @Test
    void aLoopThatIsStoppedDoesWhatIsGivenToItAtOnce() throws Exception {
        loop.shutDown(Duration.ZERO);
        loop.await(Duration.ofSeconds(20));

        assertThat(threadOf(loop)).isSameAs(Thread.currentThread());
    }

    private static Thread threadOf(EventLoop loop) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.execute(() -> thread.complete(Thread.currentThread()));
        return thread.get(20, TimeUnit.SECONDS);
    }
}
