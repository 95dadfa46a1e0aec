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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.emplace.rdma.provider.Timers;
import org.jspecify.annotations.Nullable;

/**
 * One thread that serves many sockets: readiness, tasks of other threads in the order given, and timers. While it sleeps another thread
 * can do a task in its place. Everything that a connection owns is touched on its loop only, by one thread at a time, so it needs no locks
 * of its own.
 */
public final class EventLoop implements Executor {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final int LONGEST_WAIT_MILLIS = 60_000;

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

    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> afterTasks = new ArrayDeque<>();
    private final Timers timers = new Timers();
    private final AtomicBoolean awake = new AtomicBoolean();
    /** Held by whoever is on the loop: its thread unless it sleeps, or one that found it asleep. */
    private final ReentrantLock turn = new ReentrantLock();

    private final Object selectorLock = new Object();
    private volatile boolean ended;
    private Timers.@Nullable Timer lastCall;
    /** Whether something has changed that a thread asleep in the selector does not know. */
    private boolean stale;

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
        } else if (!isCurrent()) {
            wake();
        }
    }

    /**
     * As {@link #execute}, but by the caller, who is on the loop meanwhile, if the loop's thread sleeps and no task waits: that saves two
     * changes of thread. The task must not block, and must not mind the caller's interruption.
     */
    public void executeHere(Runnable task) {
        if (ended || isCurrent() || !turn.tryLock()) {
            execute(task);
            return;
        }
        boolean leftover;
        try {
            if (tasks.isEmpty()) {
                guarded(task);
                runAfterTasks();
            } else {
                tasks.add(task);
            }
            leftover = stale || !tasks.isEmpty();
            stale = false;
        } finally {
            turn.unlock();
        }
        if (leftover) {
            wake();
        }
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            synchronized (selectorLock) {
                if (!ended) {
                    selector.wakeup();
                }
            }
        }
    }

    /** On the loop: its thread is to look at its sockets and timers anew before it goes on sleeping. */
    public void lookAnew() {
        stale = true;
    }

    /** On the loop: changes what a socket is watched for. */
    public void watch(SelectionKey key, int operations) {
        if (key.interestOps() != operations) {
            key.interestOps(operations);
            lookAnew();
        }
    }

    /** On the loop: runs a task when those waiting now have run, so that work of several tasks can be done at once. */
    public void afterTasks(Runnable task) {
        afterTasks.add(task);
    }

    /** On the loop: runs an action later, unless cancelled. */
    public Timers.Timer schedule(Duration delay, Runnable action) {
        Timers.Timer timer = timers.schedule(delay, action);
        if (timers.isNext(timer)) {
            lookAnew();
        }
        return timer;
    }

    /** On the loop: watches a socket. */
    public SelectionKey register(SelectableChannel channel, int operations, Attachment attachment) throws IOException {
        return channel.register(selector, operations, attachment);
    }

    /** Whether the caller is on the loop: its thread, or one that does a task in its place. */
    public boolean isCurrent() {
        return turn.isHeldByCurrentThread();
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
        turn.lock();
        try {
            while (!ended) {
                awake.set(false);
                select();
                awake.set(true);
                stale = false;
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid()) {
                        guarded(() -> attachment(key).ready(key));
                    }
                }
                selector.selectedKeys().clear();
                runTasks();
                timers.fire(this::guarded);
                runTasks();
                if (lastCall != null && selector.keys().stream().noneMatch(SelectionKey::isValid)) {
                    ended = true;
                }
            }
        } catch (IOException e) {
            LOG.log(Level.ERROR, thread.getName() + ": selecting failed, its connections end", e);
        } finally {
            end();
            turn.unlock();
        }
    }

    private void select() throws IOException {
        int millis = tasks.isEmpty() && afterTasks.isEmpty() ? timers.millisToNext(LONGEST_WAIT_MILLIS) : 0;
        if (millis == 0) {
            selector.selectNow();
            return;
        }
        turn.unlock();
        try {
            selector.select(millis);
        } finally {
            turn.lock();
        }
    }

    private void runTasks() {
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
        runAfterTasks();
    }

    private void runAfterTasks() {
        for (Runnable task = afterTasks.poll(); task != null; task = afterTasks.poll()) {
            guarded(task);
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
        runAfterTasks();
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
