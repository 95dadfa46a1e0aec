// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;

/** Runs lock-free code of several threads in many orders of their steps, which Lincheck chooses. A failing order is printed step by step. */
public final class Interleavings {
    /** The system property {@code interleavings} multiplies the number of orders. */
    private static final int FACTOR = Integer.getInteger("interleavings", 1);

    private Interleavings() {}

    /** Runs a scenario from its beginning in that many orders, or until one of them fails. */
    public static void explore(int orders, Runnable scenario) {
        Lincheck.runConcurrentTest(orders * FACTOR, scenario);
    }

    /** In a scenario: runs each body on a thread of its own, and fails if one of them does. */
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

    /** In a scenario: fails it unless a condition holds. Lincheck explores the scenario's own code too, so its checks must be as simple as this. */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
