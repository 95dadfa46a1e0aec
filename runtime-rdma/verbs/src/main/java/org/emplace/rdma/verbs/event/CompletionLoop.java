// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.Poller;
import org.emplace.reactor.RuntimeThreads;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/**
 * One thread that serves native event channels, completion queues, tasks of other threads in the order given, and timers. Methods that say "on the
 * loop" are called by its thread only.
 *
 * <p>The thread starts with the first task. It ends when the loop has had nothing {@linkplain #attached attached}, no task and no timer for a second,
 * and the next task starts another.
 */
public final class CompletionLoop implements Executor {
    /** A completion queue. Called on the loop only. */
    public interface Source {
        /** Takes completions and passes them on, at most a batch. Returns whether there were any. */
        boolean poll();

        /** Asks the device for one event at the next completion. Completions that are there already need another {@link #poll}. */
        void arm();
    }

    /** An endless spin: completion queues are polled all the time, which occupies a processor and avoids interrupts. */
    public static final Duration BUSY = Duration.ofDays(36_500);

    private static final System.Logger LOG = System.getLogger(CompletionLoop.class.getName());
    private static final int LONGEST_WAIT_MILLIS = 60_000;
    private static final int IDLE_MILLIS = 1_000;
    private static final int READY_AT_A_TIME = 64;
    /** While completion queues are polled, channels and timers are checked once in so many turns. */
    private static final int TURNS_BETWEEN_LOOKS = 16;

    private final String name;
    private final long poller;
    private final Spinner spinner;
    private final Map<Long, Runnable> channels = new HashMap<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Timers timers = new Timers();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final long[] ready = new long[READY_AT_A_TIME];
    /** Guards the start and the end of the thread, and the end of the poller. */
    private final Object life = new Object();

    private final CountDownLatch over = new CountDownLatch(1);
    /** Null while there is nothing to do. Changed under {@link #life}. */
    private volatile @Nullable Thread thread;

    private volatile boolean ended;
    private boolean stopping;
    private int attached;

    /**
     * A loop whose thread starts with the first task.
     *
     * @param name of its thread
     * @param spin how long at most to go on polling a completion queue after a completion, before an event is asked for. Spins that find
     *     no completion shorten the next ones
     * @throws NativeException if the system gives no descriptors
     */
    public CompletionLoop(String name, Duration spin) throws NativeException {
        this.name = name;
        poller = Poller.create();
        spinner = new Spinner(spin);
    }

    /** Gives up a loop that was never used. */
    public void abandon() {
        end();
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
        } else if (!isCurrent() && awake.compareAndSet(false, true)) {
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

    /** On the loop, or before it runs: there is one more object on which channels may report. The thread stays until it is {@link #detached}. */
    public void attached() {
        attached++;
    }

    /** On the loop: such an object is gone. */
    public void detached() {
        attached--;
    }

    /** On the loop: polls a completion queue, which may have something, until it is silent. */
    public void activate(Source source) {
        spinner.activate(source);
    }

    /** On the loop: stops polling a completion queue. */
    public void forget(Source source) {
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

    /** Waits for the end of a loop that is {@linkplain #stop stopped}, up to a limit. */
    public void await(Duration limit) throws InterruptedException {
        if (!over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(Level.WARNING, "{0} has not ended within {1}", name, limit);
        }
    }

    private void wake() {
        synchronized (life) {
            if (ended) {
                return;
            }
            if (thread == null) {
                start();
                return;
            }
            try {
                Poller.wake(poller);
            } catch (NativeException e) {
                LOG.log(Level.ERROR, name + ": cannot be woken", e);
            }
        }
    }

    /** Under {@link #life}. If the system cannot start a thread, the next task tries again. */
    private void start() {
        Thread fresh = RuntimeThreads.daemon(name, this::run);
        thread = fresh;
        boolean started = false;
        try {
            fresh.start();
            started = true;
        } finally {
            if (!started) {
                thread = null;
                awake.set(false);
            }
        }
    }

    private void run() {
        int turns = 0;
        boolean rested = false;
        try {
            while (!stopping && !(rested && leave())) {
                rested = false;
                if (!spinner.isActive() || ++turns % TURNS_BETWEEN_LOOKS == 0) {
                    rested = look();
                }
                guarded(spinner::turn);
                runTasks();
            }
            if (!stopping) {
                return;
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, name + ": waiting failed, its connections are served no more", e);
        }
        end();
    }

    /** Whether there was nothing to do, and nothing came for as long as the thread is kept. */
    private boolean look() throws NativeException {
        boolean idle = isIdle();
        int count = spinner.isActive() ? Poller.await(poller, 0, ready) : sleep(idle);
        boolean woken = awake.getAndSet(true);
        for (int i = 0; i < count; i++) {
            Runnable whenReady = channels.get(ready[i]);
            if (whenReady != null) {
                guarded(whenReady);
            }
        }
        timers.fire(this::guarded);
        return idle && count == 0 && !woken;
    }

    /** Tasks that are added from here on wake the poller. */
    private int sleep(boolean idle) throws NativeException {
        awake.set(false);
        int longest = idle ? IDLE_MILLIS : LONGEST_WAIT_MILLIS;
        return Poller.await(poller, tasks.isEmpty() ? timers.millisToNext(longest) : 0, ready);
    }

    private boolean isIdle() {
        return attached == 0 && !spinner.isActive() && timers.isEmpty() && tasks.isEmpty();
    }

    /** Ends the thread, unless there is something to do. A task added from now on starts another thread. */
    private boolean leave() {
        synchronized (life) {
            awake.set(false);
            if (!isIdle()) {
                return false;
            }
            thread = null;
            return true;
        }
    }

    /** Runs the tasks that wait now. What they add waits for the next turn. */
    private void runTasks() {
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
    }

    private void end() {
        synchronized (life) {
            ended = true;
            try {
                Poller.destroy(poller);
            } catch (NativeException e) {
                LOG.log(Level.ERROR, name + ": the poller cannot be freed", e);
            }
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
        over.countDown();
    }

    /** A failure of one connection, even a lack of memory or stack, must not end the thread that serves the others. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, name + ": a task failed", e);
        }
    }
}
