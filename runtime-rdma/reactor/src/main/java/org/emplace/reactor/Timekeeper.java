// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Workers.named(threadName));
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
                // What may fail comes first: nobody could cancel a task that is in the queue without a timer, or
                // without a thread.
                AtomicReference<@Nullable Future<?>> scheduled = new AtomicReference<>();
                Timer timer = () -> {
                    Future<?> future = scheduled.get();
                    if (future != null) {
                        future.cancel(false);
                    }
                };
                executor.prestartCoreThread();
                scheduled.set(executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
                return timer;
            }
        };
    }

    /**
     * A single timer for the deadlines of one connection, set to the earliest, so that the timekeeper's thread need not
     * wake up for each. Safe for use by several threads.
     */
    final class Deadlines {
        private final Timekeeper time;
        private final Runnable look;
        private Timekeeper.@Nullable Timer timer;
        private long earliest;
        private boolean over;

        /**
         * Starts without deadlines.
         *
         * @param look run on the timekeeper's thread at the earliest deadline: handles what is overdue, and {@linkplain #add
         *     adds} the deadlines that remain; must not block or throw
         */
        public Deadlines(Timekeeper time, Runnable look) {
            this.time = time;
            this.look = look;
        }

        /**
         * Adds a deadline.
         *
         * @param deadline a value of {@link Timekeeper#nanoTime}
         */
        public synchronized void add(long deadline) {
            if (!over && (timer == null || deadline - earliest < 0)) {
                cancelTimer();
                earliest = deadline;
                timer = time.after(Duration.ofNanos(Math.max(0, deadline - time.nanoTime())), this::expired);
            }
        }

        /** Stops the timer for good. A running timer would keep the connection in memory. */
        public synchronized void stop() {
            over = true;
            cancelTimer();
        }

        private void expired() {
            synchronized (this) {
                cancelTimer();
            }
            look.run();
        }

        private void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }
    }
}
