// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.tcp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One thread that serves many sockets: readiness, tasks of other threads in the order given, and timers. Everything that a connection
 * owns is touched on its loop only, so it needs no locks.
 */
public final class EventLoop implements Executor {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());

    /** What a socket is registered with. */
    public interface Attachment {
        /** The socket is ready for some of what the key is interested in. */
        void ready(SelectionKey key);

        /** The loop is about to end: come to an end, and have the channel closed soon. */
        void shutDown();

        /** The loop has ended and closed the channel: what has not ended ends now. */
        default void cutOff() {
            shutDown();
        }
    }

    /** A task for later; {@link #cancel} on the loop's thread. */
    public static final class Timer {
        private final long deadline;
        private @Nullable Runnable action;

        private Timer(long deadline, Runnable action) {
            this.deadline = deadline;
            this.action = action;
        }

        /** Does nothing if the action has run. */
        public void cancel() {
            action = null;
        }

        private void fire() {
            Runnable due = action;
            action = null;
            if (due != null) {
                due.run();
            }
        }
    }

    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> afterTasks = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>((a, b) -> Long.signum(a.deadline - b.deadline));
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Object selectorLock = new Object();
    private volatile boolean ended;
    private @Nullable Timer lastCall;

    /**
     * A loop that does not run yet.
     *
     * @param name of its thread
     * @throws IOException if the system gives no selector
     */
    public EventLoop(String name) throws IOException {
        selector = Selector.open();
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Begins to serve, on a daemon thread. */
    public void start() {
        thread.start();
    }

    /** Gives up a loop that was never started. */
    public void abandon() {
        closeQuietly(selector);
    }

    /** Runs a task on the loop, after those given earlier. Once the loop has ended, on the caller's thread: nothing else is left there. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (ended) {
            if (tasks.remove(task)) {
                task.run();
            }
        } else if (Thread.currentThread() != thread && awake.compareAndSet(false, true)) {
            synchronized (selectorLock) {
                if (!ended) {
                    selector.wakeup();
                }
            }
        }
    }

    /** On the loop: runs a task when those waiting now have run, so that work of several tasks can be done at once. */
    public void afterTasks(Runnable task) {
        afterTasks.add(task);
    }

    /** On the loop: runs an action later, unless cancelled. */
    public Timer schedule(Duration delay, Runnable action) {
        Timer timer = new Timer(System.nanoTime() + delay.toNanos(), action);
        timers.add(timer);
        return timer;
    }

    /** On the loop: watches a socket. */
    public SelectionKey register(SelectableChannel channel, int operations, Attachment attachment) throws IOException {
        return channel.register(selector, operations, attachment);
    }

    /** Whether the caller is on the loop's thread. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Shuts every attachment down and ends the loop when their channels are closed, or after {@code patience}. */
    public void shutDown(Duration patience) {
        execute(() -> {
            if (lastCall == null) {
                lastCall = schedule(patience, () -> ended = true);
                for (SelectionKey key : new ArrayList<>(selector.keys())) {
                    attachment(key).shutDown();
                }
            }
        });
    }

    /** Waits for the end of the loop's thread, at most so long. */
    public void await(Duration patience) throws InterruptedException {
        thread.join(patience.toMillis());
    }

    private void run() {
        try {
            while (!ended) {
                awake.set(false);
                select();
                awake.set(true);
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid()) {
                        guarded(() -> attachment(key).ready(key));
                    }
                }
                selector.selectedKeys().clear();
                runTasks();
                fireTimers();
                runTasks();
                if (lastCall != null && selector.keys().stream().noneMatch(SelectionKey::isValid)) {
                    ended = true;
                }
            }
        } catch (IOException e) {
            LOG.log(Level.ERROR, thread.getName() + ": selecting failed, its connections end", e);
        } finally {
            end();
        }
    }

    private void select() throws IOException {
        if (!tasks.isEmpty() || !afterTasks.isEmpty()) {
            selector.selectNow();
        } else if (timers.isEmpty()) {
            selector.select();
        } else {
            long nanos = timers.peek().deadline - System.nanoTime();
            if (nanos <= 0) {
                selector.selectNow();
            } else {
                selector.select(nanos / 1_000_000 + 1);
            }
        }
    }

    private void runTasks() {
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
        for (Runnable task = afterTasks.poll(); task != null; task = afterTasks.poll()) {
            guarded(task);
        }
    }

    private void fireTimers() {
        while (!timers.isEmpty() && timers.peek().deadline - System.nanoTime() <= 0) {
            Timer timer = timers.remove();
            guarded(timer::fire);
        }
    }

    private void end() {
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
            guarded(() -> attachment(key).cutOff());
        }
        ended = true;
        synchronized (selectorLock) {
            closeQuietly(selector);
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
        for (Runnable task = afterTasks.poll(); task != null; task = afterTasks.poll()) {
            guarded(task);
        }
    }

    /** One connection's fault, even lack of memory or stack, must not end the thread that serves the others. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, thread.getName() + ": a task failed", e);
        }
    }

    /** Closes what is of no use any more; a failure to is logged, for nobody can mend it. */
    public static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "closing " + resource, e);
        }
    }

    private static Attachment attachment(SelectionKey key) {
        return (Attachment) key.attachment();
    }
}
