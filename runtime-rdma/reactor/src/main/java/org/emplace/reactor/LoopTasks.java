// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The tasks of an event loop. Any thread adds tasks; all other methods are called on the loop unless stated otherwise. */
public final class LoopTasks {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());

    private final String loop;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> afterTasks = new ArrayDeque<>();
    /** The task to run next of each queue, while it has not begun. Used only on the loop. */
    private @Nullable Runnable next;

    private @Nullable Runnable nextAfter;

    /** @param loop the loop's name, for the log */
    public LoopTasks(String loop) {
        this.loop = loop;
    }

    /** Adds a task after those added earlier. Any thread. */
    public void add(Runnable task) {
        tasks.add(task);
    }

    /** Removes a task; returns whether it was still queued. Any thread. */
    public boolean remove(Runnable task) {
        return tasks.remove(task);
    }

    /** Whether no task is queued. Any thread. */
    public boolean noneWaits() {
        return tasks.isEmpty();
    }

    /** Adds a task to run after the tasks that are queued now. */
    void addAfter(Runnable task) {
        afterTasks.add(task);
    }

    boolean isEmpty() {
        return tasks.isEmpty() && afterTasks.isEmpty() && next == null && nextAfter == null;
    }

    /** Runs the tasks that are queued now, and then those that {@link #addAfter} added. */
    public void run() {
        for (int left = tasks.size() + (next == null ? 0 : 1); left > 0; left--) {
            runNext(tasks);
        }
        runAfter();
    }

    /** Runs the tasks that {@link #addAfter} added. */
    void runAfter() {
        while (nextAfter != null || !afterTasks.isEmpty()) {
            if (nextAfter == null) {
                nextAfter = afterTasks.poll();
            }
            guardedAfter();
        }
    }

    /** Runs all tasks, including those added meanwhile. */
    public void runAll() {
        while (next != null || !tasks.isEmpty()) {
            runNext(tasks);
        }
        runAfter();
    }

    private void runNext(Queue<Runnable> from) {
        if (next == null) {
            next = from.poll();
        }
        guardedNext();
    }

    /** Runs the next task. Were it not in a field until then, it would be lost if the stack is too short for this method. */
    private void guardedNext() {
        Runnable task = next;
        next = null;
        try {
            if (task != null) {
                task.run();
            }
        } catch (Throwable e) {
            tellFailed(task, e);
        }
    }

    private void guardedAfter() {
        Runnable task = nextAfter;
        nextAfter = null;
        try {
            if (task != null) {
                task.run();
            }
        } catch (Throwable e) {
            tellFailed(task, e);
        }
    }

    /**
     * Runs a task. Tells the {@linkplain LoopTask owner} if it throws, or logs that. Not even a lack of memory or stack
     * may end the thread that serves the other connections.
     */
    public void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            tellFailed(task, e);
        }
    }

    private void tellFailed(@Nullable Runnable task, Throwable cause) {
        if (!(task instanceof LoopTask owned)) {
            log("a task failed", cause);
            return;
        }
        for (int tries = 0; tries < 2; tries++) {
            try {
                owned.failed(cause);
                return;
            } catch (Throwable again) {
                log("the owner of a task failed", again);
            }
        }
    }

    /** Logs a failure. If logging itself fails, for example for lack of memory, ignores that. */
    public void log(String what, Throwable failure) {
        try {
            LOG.log(Level.ERROR, loop + ": " + what, failure);
        } catch (Throwable unlogged) {
            failure.addSuppressed(unlogged);
        }
    }
}
