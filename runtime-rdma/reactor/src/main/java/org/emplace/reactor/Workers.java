// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the tasks that complete calls, and with them the application's dependent stages. */
@FunctionalInterface
public interface Workers extends Executor {

    /** Executes tasks that became ready together. The caller may change the list afterward. */
    default void executeAll(List<? extends Runnable> tasks) {
        tasks.forEach(this::execute);
    }

    /** Returns an executor of daemon threads with this name, which start when they are needed. */
    static Workers daemons(String name) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Threads(named(name), Math.max(Threads.LEAST_THREADS, processors));
    }

    /**
     * A factory of daemon threads with this name. They are independent of the caller for which the runtime starts them: they
     * belong to the top-level thread group, their context class loader is that of the runtime, and they inherit no thread
     * locals. So they do not keep a caller's application alive that a container has stopped.
     */
    static ThreadFactory named(String name) {
        return task -> daemon(name, task);
    }

    /** Creates such a thread without starting it. */
    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(topLevelGroup(), task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Workers.class.getClassLoader());
        return thread;
    }

    private static ThreadGroup topLevelGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * The threads on which a transport completes calls. They also run the application's dependent stages, so that these
     * delay neither the threads that serve connections nor timers.
     *
     * <p>Each task gets a thread, up to one thread for each processor and at least two; further tasks wait. Tasks may
     * block, even on a queued task: while tasks wait and none has started for 10 ms, another thread is started every 10 ms.
     * A thread ends after one second without a task. If the system cannot start a thread, the existing ones run the task;
     * if there are none, the submitting thread does. Safe for use by several threads.
     */
    final class Threads implements Workers {
        private static final System.Logger LOG = System.getLogger(Workers.class.getName());

        private static final int LEAST_THREADS = 2;
        private static final long IDLE_MILLIS = 1_000;
        private static final long STANDSTILL_MILLIS = 10;

        private final LogSampler failures = new LogSampler();
        private final Runnable work = this::work;
        private final Runnable watch = this::watch;
        private final Runnable startWorker = this::startWorker;
        private final Runnable startWatch = this::startWatch;
        private final ThreadFactory factory;
        private final int usual;
        private final FifoQueue<Runnable> waiting = new FifoQueue<>();
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
        Threads(ThreadFactory factory, int usual) {
            this.factory = factory;
            this.usual = usual;
        }

        @Override
        public void execute(Runnable task) {
            Runnable start;
            synchronized (this) {
                waiting.add(task);
                start = wake(1);
            }
            if (start != null) {
                start.run();
            }
        }

        @Override
        public void executeAll(List<? extends Runnable> tasks) {
            Runnable start;
            synchronized (this) {
                waiting.addAll(tasks);
                start = wake(tasks.size());
            }
            for (int left = tasks.size(); start != null; left--) {
                start.run();
                start = left > 1 ? wake(0) : null;
            }
        }

        /**
         * Wakes idle threads for new tasks.
         *
         * @return a task that starts another thread, to be run without the lock; null if there are enough threads
         */
        private synchronized @Nullable Runnable wake(int added) {
            for (int i = Math.min(added, idle); i > 0; i--) {
                notify();
            }
            if (waiting.size() <= idle) {
                return null;
            }
            if (threads < usual) {
                threads++;
                return startWorker;
            }
            if (watched) {
                return null;
            }
            watched = true;
            return startWatch;
        }

        private void startWorker() {
            if (!start(work)) {
                synchronized (this) {
                    threads--;
                }
                workWithoutThreads();
            }
        }

        private void startWatch() {
            if (!start(watch)) {
                synchronized (this) {
                    watched = false;
                }
            }
        }

        private boolean start(Runnable body) {
            try {
                factory.newThread(body).start();
                return true;
            } catch (RuntimeException | Error none) {
                failures.failure(LOG, "cannot start a thread to complete calls", none);
                return false;
            }
        }

        private void work() {
            for (Runnable task = next(); task != null; task = next()) {
                run(task);
            }
        }

        /** Returns the next task; null if the thread is to end. */
        private synchronized @Nullable Runnable next() {
            if (threads <= usual) {
                awaitTask();
            }
            Runnable task = poll();
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

        private @Nullable Runnable poll() {
            Runnable task = waiting.poll();
            if (task != null) {
                begun++;
            }
            return task;
        }

        /** Runs tasks on the submitting thread, until none waits or there is a thread to run them. */
        private void workWithoutThreads() {
            for (Runnable task = pollWithoutThreads(); task != null; task = pollWithoutThreads()) {
                run(task);
            }
        }

        private synchronized @Nullable Runnable pollWithoutThreads() {
            return threads == 0 ? poll() : null;
        }

        /** While tasks wait, checks periodically whether any has started. If none has, this thread becomes a worker. */
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

        private void help() {
            synchronized (this) {
                threads++;
            }
            // The new thread watches while this one works.
            startWatch();
            work();
        }

        private void run(Runnable task) {
            try {
                task.run();
            } catch (Throwable broken) {
                failures.failure(LOG, "a task at the completion of a call failed", broken);
            }
        }
    }
}
