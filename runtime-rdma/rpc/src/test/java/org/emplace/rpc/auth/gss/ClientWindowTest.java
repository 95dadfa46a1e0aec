// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ClientWindowTest {
    @Test
    void callsBeyondTheWindowWaitInTheirOrder() {
        ClientWindow window = new ClientWindow(2);
        List<Integer> started = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int call = i;
            assertThat(window.enter(() -> started.add(call))).isTrue();
        }
        assertThat(started).containsExactly(0, 1);
        window.leave();
        assertThat(started).containsExactly(0, 1, 2);
        window.leave();
        window.leave();
        assertThat(started).containsExactly(0, 1, 2, 3, 4);
        window.leave();
        assertThat(window.enter(() -> started.add(5))).isTrue();
        assertThat(started).endsWith(5);
    }

    /** As when a connection has ended. */
    @Test
    void manyThatFailAtOnceDoNotNest() {
        ClientWindow window = new ClientWindow(1);
        AtomicInteger failed = new AtomicInteger();
        window.enter(() -> {});
        for (int i = 0; i < 16_000; i++) {
            window.enter(() -> {
                failed.incrementAndGet();
                window.leave();
            });
        }
        window.leave();
        assertThat(failed).hasValue(16_000);
    }

    /** As when memory is lacking. */
    @Test
    void oneThatThrowsDoesNotHoldUpTheOthers() {
        ClientWindow window = new ClientWindow(1);
        List<String> started = new ArrayList<>();
        window.enter(() -> {});
        window.enter(() -> {
            window.leave();
            throw new AssertionError("lacking");
        });
        window.enter(() -> started.add("held back before"));
        window.leave();
        window.enter(() -> started.add("held back after"));
        window.leave();
        assertThat(started).containsExactly("held back before", "held back after");
    }

    @Test
    void tooManyAreRefused() {
        ClientWindow window = new ClientWindow(1);
        int entered = 0;
        while (window.enter(() -> {})) {
            entered++;
        }
        assertThat(entered).isEqualTo(1 + 16 * 1024);
    }

    @Test
    void noMoreThanTheWindowRunAtOnce() throws InterruptedException {
        ClientWindow window = new ClientWindow(3);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(2000);
        ExecutorService callers = Executors.newFixedThreadPool(4);
        ExecutorService server = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 2000; i++) {
                callers.execute(() -> window.enter(() -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    server.execute(() -> {
                        running.decrementAndGet();
                        window.leave();
                        ended.countDown();
                    });
                }));
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(most.get()).isBetween(1, 3);
        } finally {
            callers.shutdown();
            server.shutdown();
        }
    }
}
