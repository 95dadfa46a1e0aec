// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.RuntimeThreads;

/** A transport's clock and timer; a simulation provides one whose time it turns by hand. Safe for use by several threads. */
public interface Timekeeper {

    /** Practically for ever; a longer time could not be compared with the clock. */
    Duration LONGEST = Duration.ofDays(36_500);

    /** A time limit, as far as the clock can measure it. */
    static Duration bounded(Duration limit) {
        return limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
    }

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Runs a task once, after a delay, on the timekeeper's thread. The task must not block or throw. */
    Timer after(Duration delay, Runnable task);

    /** A task that has been scheduled. */
    @FunctionalInterface
    interface Timer {
        /** Takes the task off the schedule; no effect if it has run. */
        void cancel();
    }

    /** Real time, kept by one daemon thread of that name, which ends when it has had nothing to wait for for a second. */
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
