// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import static org.emplace.reactor.Interleavings.require;

import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.reactor.Interleavings;
import org.junit.jupiter.api.Test;

class CompleterTest {
    private static final ReplyThreads WITHOUT_HELP = new ReplyThreads() {};

    private static void rethrow(Throwable broken) {
        throw new AssertionError(broken);
    }

    private static void await(Completer completer) {
        try {
            completer.await();
        } catch (InterruptedException e) {
            // Otherwise the executor runs the work.
            Thread.interrupted();
        }
    }

    @Test
    void theWorkRunsOnceWhetherOrNotAThreadWaits() {
        Interleavings.explore(100, () -> {
            AtomicInteger done = new AtomicInteger();
            Completer completer = new Completer(WITHOUT_HELP, Runnable::run, CompleterTest::rethrow);
            Interleavings.race(
                    () -> await(completer),
                    () -> completer.complete(done::incrementAndGet, Runnable::run),
                    completer::over);
            require(done.get() == 1, "done so often: " + done.get());
        });
    }

    @Test
    void workThatIsLeftRunsOnceWhetherAThreadWaitsBeforeOrAfterward() {
        Interleavings.explore(100, () -> {
            AtomicInteger done = new AtomicInteger();
            Completer completer = new Completer(WITHOUT_HELP, Runnable::run, CompleterTest::rethrow);
            Interleavings.race(() -> await(completer), () -> {
                if (completer.leave(done::incrementAndGet)) {
                    completer.wake();
                } else {
                    completer.run();
                }
            });
            require(done.get() == 1, "done so often: " + done.get());
        });
    }

    @Test
    void theWorkRunsOnceIfTheWaitingThreadIsInterrupted() {
        Interleavings.explore(100, () -> {
            AtomicInteger done = new AtomicInteger();
            Completer completer = new Completer(WITHOUT_HELP, Runnable::run, CompleterTest::rethrow);
            Thread waiting = new Thread(() -> await(completer));
            waiting.start();
            Interleavings.race(waiting::interrupt, () -> completer.complete(done::incrementAndGet, Runnable::run));
            Interleavings.race(() -> {
                try {
                    waiting.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            require(done.get() == 1, "done so often: " + done.get());
        });
    }
}
