// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;

/** Runs lock-free code of several threads in many interleavings, which Lincheck chooses. Prints a failing one step by step. */
public final class Interleavings {
    /** The system property {@code interleavings} multiplies the number of interleavings. */
    private static final int FACTOR = Integer.getInteger("interleavings", 1);

    private Interleavings() {}

    /** Runs a scenario from its start in this many interleavings, or until one fails. */
    public static void explore(int orders, Runnable scenario) {
        Lincheck.runConcurrentTest(orders * FACTOR, scenario);
    }

    /** In a scenario: runs each body on its own thread. Fails if one of them fails. */
    public static void race(Runnable... bodies) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = Stream.of(bodies)
                .map(body -> new Thread(() -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        require(failure.get() == null, "a thread has failed: " + failure.get());
    }

    /** In a scenario: fails unless a condition holds. Lincheck also explores the scenario's own code, so its checks must be this simple. */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
