// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The tasks of an event loop. Any thread adds tasks; all other methods are called on the loop unless stated otherwise. */
final class LoopTasks {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());

    private final String loop;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final FifoQueue<Runnable> afterTasks = new FifoQueue<>();
    private final LogSampler failures = new LogSampler();

    /** @param loop the loop's name, for the log */
    LoopTasks(String loop) {
        this.loop = loop;
    }

    /** Adds a task after those added earlier. Any thread. */
    void add(Runnable task) {
        tasks.add(task);
    }

    /** Removes a task; returns whether it was still queued. Any thread. */
    boolean remove(Runnable task) {
        return tasks.remove(task);
    }

    /** Whether no task is queued. Any thread. */
    boolean noneWaits() {
        return tasks.isEmpty();
    }

    /** Adds a task to run after the tasks that are queued now. */
    void addAfter(Runnable task) {
        afterTasks.add(task);
    }

    boolean isEmpty() {
        return tasks.isEmpty() && afterTasks.isEmpty();
    }

    /** Runs the tasks that are queued now, and then those that {@link #addAfter} added. */
    void run() {
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
        runAfter();
    }

    /** Runs the tasks that {@link #addAfter} added. */
    void runAfter() {
        for (Runnable task = afterTasks.poll(); task != null; task = afterTasks.poll()) {
            guarded(task);
        }
    }

    /** Runs all tasks, including those added meanwhile. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
        runAfter();
    }

    /** Runs a task and logs what it throws. Not even a lack of memory or stack may end the thread that serves the other connections. */
    void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log("a task failed", e);
        }
    }

    /** Counts a failure on the loop, and logs it as {@link LogSampler#failure} does. Throws nothing. */
    void log(String what, Throwable failure) {
        try {
            failures.failure(LOG, loop + ": " + what, failure);
        } catch (Throwable unlogged) {
            // There was no memory for the line. The loop must go on.
        }
    }
}
