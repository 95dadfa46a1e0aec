// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on the threads of a pool, and wakes few of these threads: one at a time. A woken thread wakes the next if it finds more than one task,
 * and runs tasks until none is left. So one thread runs many short tasks that were added together, and a task that blocks delays no other. If the
 * system cannot start a thread, the tasks wait for those that the pool has. Safe for use by several threads.
 */
final class HandlerThreads {
    private static final System.Logger LOG = System.getLogger(HandlerThreads.class.getName());

    private static final VarHandle COMING;

    static {
        try {
            COMING = MethodHandles.lookup().findVarHandle(HandlerThreads.class, "coming", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final ExecutorService pool;
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    /** Whether a thread has been woken and has not yet looked for tasks. */
    @SuppressWarnings("unused") // used by COMING
    private volatile boolean coming;

    private final Runnable runTasks = this::runTasks;

    /** Exactly one of the methods is called, once. */
    interface Task {
        /** Runs the task on a thread of the pool. */
        void run();

        /** Called if {@link #run} could not be called or has thrown: ends the call. May be called again if it throws. */
        void failed(Throwable broken);

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
        while (!tasks.isEmpty() && COMING.compareAndSet(this, false, true)) {
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
                    coming = false;
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
                LOG.log(Level.ERROR, "rejecting a call failed; the next one is rejected", broken);
            }
        }
    }

    /** A thread. Whatever the tasks throw, it goes on. */
    private void runTasks() {
        coming = false;
        for (boolean over = false; !over; ) {
            Task task = null;
            try {
                task = next();
                over = task == null;
                wakeAnother();
                if (task != null) {
                    task.run();
                }
            } catch (Throwable broken) {
                failed(task, broken);
            }
        }
    }

    /** Wakes another thread for further tasks. If that fails, this thread runs them when it has run its own. */
    private void wakeAnother() {
        try {
            wake();
        } catch (RuntimeException | Error broken) {
            LOG.log(Level.ERROR, "waking a thread for further calls failed", broken);
        }
    }

    private static void failed(@Nullable Task task, Throwable broken) {
        for (boolean told = false; !told; ) {
            try {
                if (task != null) {
                    task.failed(broken);
                }
                LOG.log(Level.ERROR, "a call failed, and was ended with its connection", broken);
                told = true;
            } catch (Throwable again) {
                // The thread must go on, and the task must be told.
            }
        }
    }

    /** Takes the next task, as the last step, so that it is not lost if an earlier one fails. */
    private @Nullable Task next() {
        // An interrupt that was meant for the previous task must not reach the next one.
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
        coming = false;
        wake();
    }
}
