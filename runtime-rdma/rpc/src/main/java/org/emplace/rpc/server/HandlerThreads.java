// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.reactor.LogSampler;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on the threads of a pool, and wakes few of these threads: one at a time. A woken thread wakes the next if it finds more than one task,
 * and runs tasks until none is left. So one thread runs many short tasks that were added together, and a task that blocks delays no other. If the
 * system cannot start a thread, the tasks wait for those that the pool has. Safe for use by several threads.
 */
final class HandlerThreads {
    private static final System.Logger LOG = System.getLogger(HandlerThreads.class.getName());

    private final LogSampler failures = new LogSampler();
    private final ExecutorService pool;
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    /** Whether a thread has been woken and has not yet looked for tasks. */
    private final AtomicBoolean coming = new AtomicBoolean();

    private final Runnable runTasks = this::runTasks;

    /** Exactly one of the methods is called, once. */
    interface Task {
        /** Runs the task on a thread of the pool. */
        void run();

        /** Called instead of {@link #run} if there is no thread for the task, on any thread. */
        void rejected(NoThread why);
    }

    /** Why there is no thread. */
    enum NoThread {
        CLOSED,
        /** The pool has no thread, and the system cannot start one. */
        EXHAUSTED
    }

    /** @param pool has a thread for each task that may run at a time; shut down by {@link #close} */
    HandlerThreads(ExecutorService pool) {
        this.pool = pool;
    }

    /** Adds a task. It runs after {@link #wake}, or as soon as a running task ends. */
    void add(Task task) {
        tasks.add(task);
    }

    /** Wakes a thread if tasks wait, unless one has been woken that has not yet looked for tasks. */
    void wake() {
        while (!tasks.isEmpty() && coming.compareAndSet(false, true)) {
            boolean called = false;
            try {
                pool.execute(runTasks);
                called = true;
                return;
            } catch (RejectedExecutionException closed) {
                reject(NoThread.CLOSED);
            } catch (OutOfMemoryError noThread) {
                if (leaveToThreads()) {
                    return;
                }
                reject(NoThread.EXHAUSTED);
            } finally {
                // After any failure: otherwise no thread would ever be woken again.
                if (!called) {
                    coming.set(false);
                }
            }
        }
    }

    /** Leaves the tasks to the threads of the pool. Returns whether it has any. A thread may end meanwhile; then the next {@link #wake} tries again. */
    private boolean leaveToThreads() {
        if (!(pool instanceof ThreadPoolExecutor threads)) {
            return false;
        }
        BlockingQueue<Runnable> next = threads.getQueue();
        if (!next.contains(runTasks)) {
            next.add(runTasks);
        }
        return threads.getPoolSize() > 0 || !next.remove(runTasks);
    }

    /** Rejects all tasks, including those that {@link Task#rejected} adds. */
    private void reject(NoThread why) {
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.rejected(why);
            } catch (RuntimeException | Error broken) {
                failures.failure(LOG, "rejecting a call failed, the next one is rejected", broken);
            }
        }
    }

    private void runTasks() {
        try {
            coming.set(false);
            for (Task task = next(); task != null; task = next()) {
                try {
                    wake();
                } finally {
                    run(task);
                }
            }
        } finally {
            // If something has thrown, this thread ends, so another has to run the remaining tasks.
            coming.set(false);
            wake();
        }
    }

    private void run(Task task) {
        try {
            task.run();
        } catch (RuntimeException | Error broken) {
            failures.failure(LOG, "a call failed, the next one is run", broken);
        }
    }

    private @Nullable Task next() {
        // An interrupt that was meant for the previous task must not reach this one.
        Thread.interrupted();
        if (pool.isShutdown()) {
            Thread.currentThread().interrupt();
            return null;
        }
        return tasks.poll();
    }

    /** Interrupts the threads. Rejects the tasks that have not begun, and later ones. */
    void close() {
        pool.shutdownNow();
        // The pool may have discarded the call of runTasks that would have cleared this.
        coming.set(false);
        wake();
    }
}
