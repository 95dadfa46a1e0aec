// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.RuntimeThreads;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which a transport completes calls. Users' code that depends on a call's completion runs there, so that it cannot delay a thread that
 * serves connections, or a timer.
 *
 * <p>There are as many threads as tasks, up to one for each processor and two at least, as more would only take turns; tasks beyond that wait. Tasks
 * may block, even on a queued task: while tasks wait and none has started for 10 ms, one more thread is started every 10 ms. All end when they have
 * had nothing to do for a second. If the system cannot start another thread, the existing ones do the work; if there are none, the thread that
 * submits the task does it. Safe for use by several threads.
 */
public final class CallbackThreads implements Executor {
    private static final System.Logger LOG = System.getLogger(CallbackThreads.class.getName());

    private static final int LEAST_THREADS = 2;
    private static final long IDLE_MILLIS = 1_000;
    private static final long STANDSTILL_MILLIS = 10;

    private final ThreadFactory factory;
    private final int usual;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int threads;
    private int idle;
    /** How many tasks have begun. */
    private long begun;

    private boolean watched;

    /**
     * Without threads yet.
     *
     * @param usual threads that tasks start without delay
     */
    CallbackThreads(ThreadFactory factory, int usual) {
        this.factory = factory;
        this.usual = usual;
    }

    /** Daemon threads of that name, which start when they are needed. */
    public static Executor daemons(String name) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new CallbackThreads(RuntimeThreads.named(name), Math.max(LEAST_THREADS, processors));
    }

    @Override
    public void execute(Runnable task) {
        boolean works;
        synchronized (this) {
            waiting.add(task);
            if (waiting.size() <= idle) {
                notify();
                return;
            }
            works = threads < usual;
            if (works) {
                threads++;
            } else if (watched) {
                return;
            } else {
                watched = true;
            }
        }
        if (works) {
            startWorker();
        } else {
            startWatch();
        }
    }

    private void startWorker() {
        if (!start(this::work)) {
            synchronized (this) {
                threads--;
            }
            workWithoutThreads();
        }
    }

    private void startWatch() {
        if (!start(this::watch)) {
            synchronized (this) {
                watched = false;
            }
        }
    }

    private boolean start(Runnable body) {
        try {
            factory.newThread(body).start();
            return true;
        } catch (OutOfMemoryError none) {
            LOG.log(Level.WARNING, "no thread to complete calls on: " + none.getMessage());
            return false;
        }
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            run(task);
        }
    }

    /** The next task; null if the thread is to end. */
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

    /** Waits for a task, for as long as a thread is kept without one. */
    private synchronized void awaitTask() {
        idle++;
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
            for (long left = IDLE_MILLIS; waiting.isEmpty() && left > 0; ) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
        } catch (InterruptedException leftByATask) {
            // It was meant for the task, which has ended.
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

    /** On the thread that brought a task: until nothing waits, or there is a thread to do it. */
    private void workWithoutThreads() {
        for (Runnable task = takeWithoutThreads(); task != null; task = takeWithoutThreads()) {
            run(task);
        }
    }

    private synchronized @Nullable Runnable takeWithoutThreads() {
        return threads == 0 ? take() : null;
    }

    /** While tasks wait, looks from time to time whether any has begun; if not, becomes one more of those that work. */
    private void watch() {
        long before = begunSoFar();
        sleep();
        for (long now = begunSoFar(); isNeeded(); now = begunSoFar()) {
            if (now == before) {
                help();
                return;
            }
            before = now;
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(STANDSTILL_MILLIS);
        } catch (InterruptedException early) {
            // Nobody interrupts this thread; if somebody does, the watch only checks a little earlier.
        }
    }

    private synchronized long begunSoFar() {
        return begun;
    }

    /** Whether tasks still wait. If not, the watch is over. */
    private synchronized boolean isNeeded() {
        watched = !waiting.isEmpty();
        return watched;
    }

    private void help() {
        synchronized (this) {
            threads++;
        }
        // The next one watches while this one works.
        startWatch();
        work();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable broken) {
            report(broken);
        }
    }

    private static void report(Throwable broken) {
        try {
            LOG.log(Level.ERROR, "what was to be done at the end of a call failed", broken);
        } catch (Throwable unlogged) {
            // For lack of memory perhaps; the thread is needed for the other calls all the same.
        }
    }
}
