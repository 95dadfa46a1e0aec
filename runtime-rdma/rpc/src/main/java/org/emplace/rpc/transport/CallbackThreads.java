// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.RuntimeThreads;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which a transport completes calls. They also run the application's dependent stages, so that these
 * delay neither the threads that serve connections nor timers.
 *
 * <p>Each task gets a thread, up to one thread for each processor and at least two; further tasks wait. Tasks may
 * block, even on a queued task: while tasks wait and none has started for 10 ms, another thread is started every 10 ms.
 * A thread ends after one second without a task. If the system cannot start a thread, the existing ones run the task;
 * if there are none, the submitting thread does. Safe for use by several threads.
 */
public final class CallbackThreads implements Callbacks {
    private static final System.Logger LOG = System.getLogger(CallbackThreads.class.getName());

    private static final int LEAST_THREADS = 2;
    private static final long IDLE_MILLIS = 1_000;
    private static final long STANDSTILL_MILLIS = 10;

    private final Runnable work = this::work;
    private final Runnable watch = this::watch;
    private final ThreadFactory factory;
    private final int usual;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int threads;
    private int idle;
    /** The number of tasks that have started. */
    private long begun;

    private boolean watched;

    /**
     * Creates the executor, without threads.
     *
     * @param usual the number of threads that are started without delay
     */
    CallbackThreads(ThreadFactory factory, int usual) {
        this.factory = factory;
        this.usual = usual;
    }

    /** Returns an executor of daemon threads with this name, which start when they are needed. */
    public static Callbacks daemons(String name) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new CallbackThreads(RuntimeThreads.named(name), Math.max(LEAST_THREADS, processors));
    }

    @Override
    public void execute(Runnable task) {
        Start start;
        try {
            start = enter(task);
        } catch (Error lack) {
            // Once more, because stages swallow what this throws.
            start = enter(task);
        }
        start(start);
    }

    private synchronized Start enter(Runnable task) {
        waiting.add(task);
        return wake(1);
    }

    @Override
    public void executeAll(List<? extends Runnable> tasks) {
        Start start;
        synchronized (this) {
            waiting.addAll(tasks);
            start = wake(tasks.size());
        }
        for (int left = tasks.size(); start != Start.NOTHING; left--) {
            start(start);
            start = left > 1 ? wake(0) : Start.NOTHING;
        }
    }

    /** What to start for new tasks. */
    private enum Start {
        NOTHING,
        WORKER,
        WATCH
    }

    /**
     * Wakes idle threads for new tasks.
     *
     * @return what the caller has to start, without the lock
     */
    private synchronized Start wake(int added) {
        for (int i = Math.min(added, idle); i > 0; i--) {
            notify();
        }
        if (waiting.size() <= idle) {
            return Start.NOTHING;
        }
        if (threads < usual) {
            return Start.WORKER;
        }
        return watched ? Start.NOTHING : Start.WATCH;
    }

    private void start(Start what) {
        if (what == Start.WORKER && !startWorker()) {
            workWithoutThreads();
        } else if (what == Start.WATCH) {
            startWatch();
        }
    }

    /** Starts a worker, unless another thread has started the last one. Returns false if the system cannot start one. */
    private boolean startWorker() {
        synchronized (this) {
            if (threads >= usual) {
                return true;
            }
            threads++;
        }
        boolean started = false;
        try {
            started = start(work);
        } finally {
            if (!started) {
                synchronized (this) {
                    threads--;
                }
            }
        }
        return started;
    }

    private void startWatch() {
        synchronized (this) {
            if (watched) {
                return;
            }
            watched = true;
        }
        boolean started = false;
        try {
            started = start(watch);
        } finally {
            if (!started) {
                synchronized (this) {
                    watched = false;
                }
            }
        }
    }

    private boolean start(Runnable body) {
        try {
            factory.newThread(body).start();
            return true;
        } catch (OutOfMemoryError none) {
            LOG.log(Level.WARNING, "cannot start a thread to complete calls: " + none.getMessage());
            return false;
        }
    }

    /** A worker's thread. Whatever its tasks throw, it goes on. */
    private void work() {
        boolean over = false;
        while (!over) {
            Runnable task = null;
            try {
                task = next();
                over = task == null;
                if (task != null) {
                    task.run();
                }
            } catch (Throwable broken) {
                failed(task, broken);
            }
        }
    }

    private static void failed(@Nullable Runnable task, Throwable broken) {
        for (boolean told = false; !told; ) {
            try {
                Callbacks.failed(task == null ? CallbackThreads::nothing : task, broken);
                told = true;
            } catch (Throwable again) {
                // The thread must go on, and the task must be told.
            }
        }
    }

    private static void nothing() {}

    /** Returns the next task; null if the thread is to end. */
    private synchronized @Nullable Runnable next() {
        if (threads <= usual) {
            awaitTask();
        }
        Runnable task = take();
        if (task == null) {
            threads--;
        }
        return task;
    }

    /** Waits for a task, for as long as a thread may be idle. */
    private synchronized void awaitTask() {
        idle++;
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
            for (long left = IDLE_MILLIS; waiting.isEmpty() && left > 0; ) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
        } catch (InterruptedException leftByATask) {
            // The interrupt was for the task, which has ended.
        } finally {
            idle--;
        }
    }

    private @Nullable Runnable take() {
        Runnable task = waiting.poll();
        if (task != null) {
            begun++;
        }
        return task;
    }

    /** Runs tasks on the submitting thread, until none waits or there is a thread to run them. */
    private void workWithoutThreads() {
        for (Runnable task = takeWithoutThreads(); task != null; task = takeWithoutThreads()) {
            Callbacks.run(task);
        }
    }

    private synchronized @Nullable Runnable takeWithoutThreads() {
        return threads == 0 ? take() : null;
    }

    /** While tasks wait, checks periodically whether any has started. If none has, this thread becomes a worker. */
    private void watch() {
        boolean helps = false;
        try {
            helps = awaitStandstill();
        } catch (Throwable broken) {
            synchronized (this) {
                watched = false;
            }
            failed(null, broken);
        }
        while (helps) {
            try {
                // The new thread watches while this one works.
                startWatch();
                work();
                helps = false;
            } catch (Throwable broken) {
                failed(null, broken);
            }
        }
    }

    /** Returns true if this thread is needed as a worker, and counts as one; false if no task waits. */
    private boolean awaitStandstill() {
        long before = begunSoFar();
        sleep();
        for (long now = begunSoFar(); isNeeded(); now = begunSoFar()) {
            if (now == before) {
                synchronized (this) {
                    threads++;
                    watched = false;
                }
                return true;
            }
            before = now;
            sleep();
        }
        return false;
    }

    private static void sleep() {
        try {
            Thread.sleep(STANDSTILL_MILLIS);
        } catch (InterruptedException early) {
            // Nothing interrupts this thread. If it is interrupted, it only checks a little earlier.
        }
    }

    private synchronized long begunSoFar() {
        return begun;
    }

    /** Whether tasks still wait. If not, the watch ends. */
    private synchronized boolean isNeeded() {
        watched = !waiting.isEmpty();
        return watched;
    }
}
