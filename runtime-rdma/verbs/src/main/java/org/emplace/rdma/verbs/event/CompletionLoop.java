// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.Poller;
import org.emplace.reactor.Timers;

/**
 * One thread that serves native event channels, completion queues, tasks of other threads in the order given, and timers. What says "on
 * the loop" is called by its thread only.
 */
public final class CompletionLoop implements Executor {
    private static final System.Logger LOG = System.getLogger(CompletionLoop.class.getName());
    private static final int LONGEST_WAIT_MILLIS = 60_000;
    private static final int READY_AT_A_TIME = 64;
    /** While completion queues are polled, channels and timers are looked at once in so many turns. */
    private static final int TURNS_BETWEEN_LOOKS = 16;

    private final long poller;
    private final Thread thread;
    private final Spinner spinner;
    private final Map<Long, Runnable> channels = new HashMap<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Timers timers = new Timers();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final long[] ready = new long[READY_AT_A_TIME];
    private final Object pollerLock = new Object();
    private volatile boolean ended;
    private boolean stopping;

    /**
     * A loop that does not run yet.
     *
     * @param name of its thread
     * @throws NativeException if the system gives no descriptors
     */
    public CompletionLoop(String name, Polling polling) throws NativeException {
        poller = Poller.create();
        spinner = new Spinner(polling);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Begins to serve, on a daemon thread. */
    public void start() {
        thread.start();
    }

    /** The poller that channels of this loop belong to. */
    public long poller() {
        return poller;
    }

    /**
     * Runs a task on the loop, after those given earlier. Once the loop has ended, on the caller's thread: nothing else is left there.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (ended) {
            if (tasks.remove(task)) {
                task.run();
            }
        } else if (Thread.currentThread() != thread && awake.compareAndSet(false, true)) {
            wake();
        }
    }

    /** On the loop, or before it runs: {@code whenReady} is called when a native channel of {@link #poller} has something. */
    public void watch(long channel, Runnable whenReady) {
        channels.put(channel, whenReady);
    }

    /** On the loop: forgets a channel. */
    public void unwatch(long channel) {
        channels.remove(channel);
    }

    /** On the loop: a completion queue has something, or may: it is polled until it is silent. */
    public void activate(CompletionSource source) {
        spinner.activate(source);
    }

    /** On the loop: a completion queue is polled no more. */
    public void forget(CompletionSource source) {
        spinner.forget(source);
    }

    /** On the loop: runs an action later, unless cancelled. */
    public Timers.Timer schedule(Duration delay, Runnable action) {
        return timers.schedule(delay, action);
    }

    /** Whether the caller is on the loop's thread. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** On the loop: ends it after this turn. All of its channels must have been destroyed. */
    public void stop() {
        stopping = true;
    }

    /** Waits for the end of the loop's thread, at most so long. */
    public void await(Duration patience) throws InterruptedException {
        thread.join(patience.toMillis());
    }

    private void wake() {
        synchronized (pollerLock) {
            if (!ended) {
                try {
                    Poller.wake(poller);
                } catch (NativeException e) {
                    LOG.log(Level.ERROR, thread.getName() + ": cannot be woken", e);
                }
            }
        }
    }

    private void run() {
        int turns = 0;
        try {
            while (!stopping) {
                if (!spinner.isActive() || ++turns % TURNS_BETWEEN_LOOKS == 0) {
                    look();
                }
                guarded(spinner::turn);
                runTasks();
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, thread.getName() + ": waiting failed, its connections are served no more", e);
        } finally {
            end();
        }
    }

    private void look() throws NativeException {
        int count = spinner.isActive() ? Poller.await(poller, 0, ready) : sleep();
        for (int i = 0; i < count; i++) {
            Runnable whenReady = channels.get(ready[i]);
            if (whenReady != null) {
                guarded(whenReady);
            }
        }
        timers.fire(this::guarded);
    }

    /** Tasks that are added from here on wake the poller. */
    private int sleep() throws NativeException {
        awake.set(false);
        int count = Poller.await(poller, tasks.isEmpty() ? timers.millisToNext(LONGEST_WAIT_MILLIS) : 0, ready);
        awake.set(true);
        return count;
    }

    /** Those that are waiting now; what they add waits for the next turn. */
    private void runTasks() {
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
    }

    private void end() {
        synchronized (pollerLock) {
            ended = true;
            try {
                Poller.destroy(poller);
            } catch (NativeException e) {
                LOG.log(Level.ERROR, thread.getName() + ": the poller cannot be freed", e);
            }
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
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
}
