// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What an event loop has to do besides its channels and timers. Any thread adds tasks; all else is done on the loop. */
final class LoopTasks {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());

    private final String loop;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> afterTasks = new ArrayDeque<>();

    /** @param loop its name, for the log */
    LoopTasks(String loop) {
        this.loop = loop;
    }

    /** Adds a task after those added earlier. On any thread. */
    void add(Runnable task) {
        tasks.add(task);
    }

    /** Takes a task back; whether it was still there. On any thread. */
    boolean remove(Runnable task) {
        return tasks.remove(task);
    }

    /** Whether no task waits that another thread may have added. On any thread. */
    boolean noneWaits() {
        return tasks.isEmpty();
    }

    /** Adds what is to be done after the tasks that wait now. */
    void addAfter(Runnable task) {
        afterTasks.add(task);
    }

    boolean isEmpty() {
        return tasks.isEmpty() && afterTasks.isEmpty();
    }

    /** Does the tasks that wait now, and what was to be done after them. */
    void run() {
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
        runAfter();
    }

    /** Does what was to be done after tasks. */
    void runAfter() {
        for (Runnable task = afterTasks.poll(); task != null; task = afterTasks.poll()) {
            guarded(task);
        }
    }

    /** Does everything, also what is added meanwhile. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
        runAfter();
    }

    /** Does one thing. A connection's fault, even lack of memory or stack, must not end the thread that serves the others. */
    void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log("a task failed", e);
        }
    }

    /** Logs; if logging itself fails, for lack of memory for example, ignores that. */
    void log(String what, Throwable failure) {
        try {
            LOG.log(Level.ERROR, loop + ": " + what, failure);
        } catch (Throwable unlogged) {
            failure.addSuppressed(unlogged);
        }
    }
}
