// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A transport's clock and timers. A simulation has its own implementation with simulated time. Safe for use by several
 * threads.
 */
public interface Timekeeper {

    /** The longest delay, practically forever: values of the clock can be compared only within a bounded range. */
    Duration LONGEST = Duration.ofDays(36_500);

    /** Returns a time limit of at most {@link #LONGEST}. */
    static Duration bounded(Duration limit) {
        return limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
    }

    /** The time in nanoseconds, like {@link System#nanoTime}. */
    long nanoTime();

    /** Runs a task once, after a delay, on the timekeeper's thread. The task must not block or throw. */
    Timer after(Duration delay, Runnable task);

    /** A scheduled task. */
    @FunctionalInterface
    interface Timer {
        /** Cancels the task. Has no effect if it has run. */
        void cancel();
    }

    /**
     * Returns a timekeeper with real time. Its daemon thread has the given name, and ends after one second without
     * tasks.
     */
    static Timekeeper system(String threadName) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, RuntimeThreads.named(threadName));
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        return new Timekeeper() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Timer after(Duration delay, Runnable task) {
                Future<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            }
        };
    }
}
