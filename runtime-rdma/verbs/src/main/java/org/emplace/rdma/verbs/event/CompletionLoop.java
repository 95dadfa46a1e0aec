// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.Poller;
import org.emplace.reactor.Lead;
import org.emplace.reactor.LoopTasks;
import org.emplace.reactor.Timers;
import org.emplace.reactor.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Serves native event channels, completion queues, timers, and tasks of other threads in the order of their submission, on one thread. A caller that
 * waits may serve the loop in its place. Only one thread at a time is on the loop, and methods marked "on the loop" may be called only there.
 *
 * <p>The thread starts with the first task. It ends after one second without {@linkplain #attached attached} objects, tasks and timers; the next
 * task starts a new thread.
 */
public final class CompletionLoop implements Executor {
    /** A completion queue. Called on the loop only. */
    public interface Source {
        /** Takes at most one batch of completions and handles them. Returns whether there were any. */
        boolean poll();

        /** Requests one event for the next completion. It is not sent for completions already in the queue, so {@link #poll} once more afterward. */
        void arm();
    }

    /** A spin without end: completion queues are always polled, which occupies a processor and avoids interrupts. */
    public static final Duration BUSY = Duration.ofDays(36_500);

    private static final System.Logger LOG = System.getLogger(CompletionLoop.class.getName());
    private static final int LONGEST_WAIT_MILLIS = 60_000;
    private static final int IDLE_MILLIS = 1_000;
    /** The longest time for which a caller serves the loop, because an interrupt does not end a wait in the poller. */
    private static final int LONGEST_HELP_MILLIS = 20;

    private static final long LONGEST_HELP_NANOS = TimeUnit.MILLISECONDS.toNanos(LONGEST_HELP_MILLIS);
    private static final int READY_AT_A_TIME = 64;
    /** While completion queues are polled, channels and timers are checked only every this many turns. */
    private static final int TURNS_BETWEEN_SELECTS = 16;

    private final String name;
    private final long poller;
    private final Spinner spinner;
    private final Map<Long, Runnable> channels = new HashMap<>();
    private final LoopTasks tasks;
    private final Timers timers = new Timers();
    /** Whether the serving thread checks for tasks before it sleeps. A thread that sets this must wake the serving thread. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final long[] ready = new long[READY_AT_A_TIME];
    /** Guards the start and the end of the thread, and the destruction of the poller. */
    private final Object life = new Object();

    private final Lead lead;
    private final Runnable poll = this::poll;
    private final Consumer<Runnable> guarded;
    private final BooleanSupplier isWanted = this::isWanted;

    private final CountDownLatch over = new CountDownLatch(1);
    /** Null while there is nothing to do. Changed under {@link #life}. */
    private volatile @Nullable Thread thread;

    /** The thread that is on the loop; null while nobody is. */
    private volatile @Nullable Thread leader;

    private volatile boolean ended;
    private volatile boolean stopping;
    private int attached;
    private int turns;
    /** The number of completion queues in which the last turn found completions. */
    private int found;

    /**
     * Creates a loop. Its thread starts with the first task.
     *
     * @param name of its thread
     * @param spin the longest time to poll a completion queue after its last completion before requesting an event. The time is shorter while
     *     completions are rare
     * @throws NativeException if the system has no more descriptors
     */
    public CompletionLoop(String name, Duration spin) throws NativeException {
        this(name, spin, new Lead());
    }

    CompletionLoop(String name, Duration spin, Lead lead) throws NativeException {
        this.name = name;
        this.lead = lead;
        tasks = new LoopTasks(name);
        guarded = tasks::guarded;
        poller = Poller.create();
        spinner = new Spinner(spin);
    }

    /** Destroys a loop that was never used. */
    public void abandon() {
        exit();
    }

    /** The native handle of the poller in which this loop's channels are created. */
    public long poller() {
        return poller;
    }

    /**
     * Runs a task on the loop, after the tasks submitted earlier. If the loop has ended, the task runs on the caller's thread.
     */
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
     * Lets a waiting caller do the loop's work, until {@code done} holds. Returns earlier if the caller should block instead: another thread does the
     * work, the loop has ended, the caller is interrupted, or it has served the loop for 20 ms. So the caller must check its condition afterward.
     * Does nothing on the loop. Never throws.
     *
     * @param done see {@link org.emplace.rdma.QueuePair#pollUntil}
     */
    public void pollUntil(BooleanSupplier done) {
        Thread caller = Thread.currentThread();
        if (ended || isCurrent() || done.getAsBoolean() || caller.isInterrupted() || !lead.tryLead(done)) {
            return;
        }
        leader = caller;
        long begin = System.nanoTime();
        try {
            spinner.restart();
            do {
                turn(done, LONGEST_HELP_MILLIS);
            } while (!done.getAsBoolean()
                    && !stopping
                    && !caller.isInterrupted()
                    && System.nanoTime() - begin < LONGEST_HELP_NANOS
                    && !lead.isTooMuch(found));
        } catch (Throwable failure) {
            tasks.log("a turn on a caller's thread failed", failure);
        } finally {
            awake.set(false);
            leader = null;
            lead.stopLeading(!done.getAsBoolean());
        }
        if (isWanted()) {
            lead.wakeIfVacant();
        }
    }

    /** Makes a thread in {@link #pollUntil} evaluate its condition. Any thread. Costs almost nothing if there is no such thread. */
    public void wakePoller() {
        if (lead.isAnothers()) {
            wake();
        }
    }

    /** On the loop, or before it runs: calls {@code whenReady} whenever a native channel of {@link #poller} is ready. */
    public void watch(long channel, Runnable whenReady) {
        channels.put(channel, whenReady);
    }

    /** On the loop: stops watching a channel. */
    public void unwatch(long channel) {
        channels.remove(channel);
    }

    /** On the loop, or before it runs: adds an object that needs the thread, which then stays until the object is {@link #detached}. */
    public void attached() {
        attached++;
    }

    /** On the loop: removes an attached object. */
    public void detached() {
        attached--;
    }

    /** On the loop: polls a completion queue until it has been empty for the length of the spin. */
    public void activate(Source source) {
        spinner.activate(source);
    }

    /** On the loop: stops polling a completion queue. */
    public void forget(Source source) {
        spinner.forget(source);
    }

    /** On the loop: runs an action after a delay, unless the timer is cancelled. */
    public Timers.Timer schedule(Duration delay, Runnable action) {
        return timers.schedule(delay, action);
    }

    /** Whether the caller is on the loop: it is the loop's thread, or serves the loop in its place. */
    public boolean isCurrent() {
        return Thread.currentThread() == leader;
    }

    /** On the loop: ends the loop after this turn. All its channels must have been destroyed. */
    public void stop() {
        stopping = true;
    }

    /** Waits until a {@linkplain #stop stopped} loop has ended, at most {@code limit}. */
    public void await(Duration limit) throws InterruptedException {
        if (!over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(Level.WARNING, "{0} has not ended within {1}", name, limit);
        }
    }

    private void wake() {
        if (!awake.compareAndSet(false, true)) {
            return;
        }
        synchronized (life) {
            if (ended) {
                return;
            }
            if (thread == null) {
                start();
                return;
            }
            try {
                if (!lead.wakeIfVacant()) {
                    Poller.wake(poller);
                }
            } catch (NativeException e) {
                LOG.log(Level.ERROR, name + ": cannot be woken", e);
            }
        }
    }

    /** Starts the thread, holding {@link #life}. If the system cannot start one, the next task tries again. */
    private void start() {
        Thread fresh = Workers.daemon(name, this::run);
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
        lead.threadStarted();
        leader = Thread.currentThread();
        boolean rested = false;
        try {
            while (!stopping && !(rested && stopIfIdle())) {
                rested = serve();
            }
            if (!stopping) {
                return;
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, name + ": waiting failed, its connections are served no more", e);
        }
        exit();
    }

    /**
     * Does a turn, then leaves the lead to callers if that is worth it. A lack of memory does not end the thread, because nothing would start another.
     */
    private boolean serve() throws NativeException {
        try {
            boolean rested = turn(CompletionLoop::never, LONGEST_WAIT_MILLIS);
            if (lead.isWorthLeaving(found)) {
                leaveToCallers();
            }
            return rested;
        } catch (RuntimeException | Error failure) {
            tasks.log("a turn failed", failure);
            return false;
        }
    }

    private void leaveToCallers() {
        awake.set(false);
        leader = null;
        lead.leaveToCallers(isWanted);
        leader = Thread.currentThread();
    }

    /** Whether there is work although nobody leads the loop. */
    private boolean isWanted() {
        return awake.get() || stopping || !tasks.noneWaits();
    }

    private static boolean never() {
        return false;
    }

    /**
     * Does the work that is due, or waits for some.
     *
     * @param done if this holds, the turn does not wait
     * @param longestMillis the longest wait
     * @return whether the loop was idle for as long as an idle thread is kept
     */
    private boolean turn(BooleanSupplier done, int longestMillis) throws NativeException {
        boolean rested = false;
        if (!spinner.isActive() || ++turns % TURNS_BETWEEN_SELECTS == 0) {
            rested = select(done, longestMillis);
        }
        tasks.guarded(poll);
        tasks.run();
        return rested;
    }

    private void poll() {
        found = 0;
        found = spinner.turn();
    }

    /** Serves ready channels and due timers, or waits for them. Returns whether the loop was idle for as long as an idle thread is kept. */
    private boolean select(BooleanSupplier done, int longestMillis) throws NativeException {
        boolean idle = isIdle();
        int longest = idle ? Math.min(IDLE_MILLIS, longestMillis) : longestMillis;
        int count = spinner.isActive() ? Poller.await(poller, 0, ready) : sleep(done, longest);
        boolean woken = awake.getAndSet(true);
        for (int i = 0; i < count; i++) {
            Runnable whenReady = channels.get(ready[i]);
            if (whenReady != null) {
                tasks.guarded(whenReady);
            }
        }
        timers.fire(guarded);
        return idle && count == 0 && !woken;
    }

    /** Waits for channels, a timer or a task; tasks that are added from here on wake the poller. Returns the number of channels ready. */
    private int sleep(BooleanSupplier done, int longestMillis) throws NativeException {
        awake.set(false);
        boolean waits = tasks.noneWaits() && !done.getAsBoolean();
        return Poller.await(poller, waits ? timers.millisToNext(longestMillis) : 0, ready);
    }

    private boolean isIdle() {
        return attached == 0 && !spinner.isActive() && timers.isEmpty() && tasks.noneWaits();
    }

    /** Ends the thread unless there is work. A task added after this starts a new thread. */
    private boolean stopIfIdle() {
        synchronized (life) {
            awake.set(false);
            if (!isIdle()) {
                return false;
            }
            thread = null;
            leader = null;
            lead.threadStopped();
            return true;
        }
    }

    private void exit() {
        synchronized (life) {
            ended = true;
            try {
                Poller.destroy(poller);
            } catch (NativeException e) {
                LOG.log(Level.ERROR, name + ": the poller cannot be freed", e);
            }
        }
        tasks.runAll();
        lead.threadStopped();
        over.countDown();
    }
}
