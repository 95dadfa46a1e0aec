// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves what its {@link IoHandler} waits for, tasks in order, and timers on one thread. While that thread waits, a thread that posts a task may run
 * it, or a caller that waits may serve the loop. The thread that has the turn is on the loop. Only one thread has it at a time, so the state of a
 * connection needs no locks.
 *
 * <p>The loop's thread starts with the first task. It ends when the loop has had nothing to serve and no task or timer for a short time, and the
 * next task starts a new one. So the threads of the runtime end with its last connection.
 */
public final class EventLoop implements Executor {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final int LONGEST_WAIT_MILLIS = 60_000;
    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The most tasks that callers run between two rounds. After these, more are likely to come, and the next round runs them together. */
    private static final int MOST_HERE = 4;

    private final String name;
    private final IoHandler io;
    private final ReentrantLock turn = new ReentrantLock();
    /** Whether the leading thread checks for tasks before it waits. A thread that sets this must wake the leading thread. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final LoopTasks tasks;
    private final Timers timers = new Timers();
    private final Lead lead;
    private final Consumer<Runnable> guarded;
    private final FairShare fairShare = new FairShare();
    private final BooleanSupplier isWanted = this::isWanted;
    /** Guards the start and the end of the thread, and the closing of the handler. */
    private final Object life = new Object();

    private final CountDownLatch over = new CountDownLatch(1);
    /** Not null once the loop shuts down. */
    private volatile Timers.@Nullable Timer lastCall;

    private volatile boolean ended;
    /** Whether something has changed for the waiting thread since it began to wait. */
    private boolean stale;
    /** The number of tasks that callers have run since a thread began to wait. A read without the turn may return an old value. */
    private int ranHere;

    /** Whether another thread, or an interrupt, has ended the last wait. */
    private boolean woken;

    private boolean interrupted;
    /** How many sockets or queues the last wait found ready. */
    private int ready;
    /** How often in a row waiting has failed. */
    private long failures;

    private Map<LoopLocal<?>, Object> locals = new HashMap<>();
    /** The loop-local values of the last thread, for the next: clients may connect, call and close again and again. */
    private WeakReference<Map<LoopLocal<?>, Object>> formerLocals = new WeakReference<>(null);

    /** Null while the loop is idle. Guarded by {@link #life}. */
    private @Nullable Thread thread;

    /**
     * Creates a loop. Its thread starts with the first task.
     *
     * @param name of its thread
     * @param io what it waits for, used by this loop alone
     */
    public EventLoop(String name, IoHandler io) {
        this(name, io, Lead.SHORTEST_NAP);
    }

    /**
     * Creates a loop as the other constructor does.
     *
     * @param shortestNap the shortest interval at which the loop's thread checks whether a caller has returned to lead
     */
    public EventLoop(String name, IoHandler io, Duration shortestNap) {
        this.name = name;
        this.io = io;
        lead = new Lead(shortestNap);
        tasks = new LoopTasks(name);
        guarded = tasks::guarded;
    }

    /** Runs a task on the loop, after the tasks added earlier. If the loop has ended, runs it on the caller's thread. */
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
     * As {@link #execute}, but if the loop's thread waits and no other task does, the caller runs the task, and is on the loop during that. This
     * saves two thread switches. If callers have already run several tasks since the loop's last round, the task waits for the next round, so that
     * {@link #afterTasks} does the work of many at once. The task must not block, and must not depend on the caller's interrupt status.
     */
    public void executeHere(Runnable task) {
        if (ended || isCurrent() || ranHere >= MOST_HERE || !turn.tryLock()) {
            execute(task);
            return;
        }
        ranHere++;
        boolean leftover;
        try {
            if (tasks.noneWaits()) {
                tasks.guarded(task);
                tasks.runAfter();
            } else {
                tasks.add(task);
            }
            // A new leader checks everything anyway.
            leftover = (stale && !lead.isReserved()) || !tasks.noneWaits();
            stale = false;
        } finally {
            giveTurnSurely();
        }
        if (leftover || lead.isVacant()) {
            wake();
        }
    }

    /**
     * Lets a waiting caller do the loop's work on its own thread until {@code done} holds. Returns earlier if the caller should block instead:
     * another thread does the work (the loop's own does so unless this caller has recently returned soon each time), the caller has led for
     * {@linkplain IoHandler#longestLeadMillis long}, the loop has ended, or the caller was interrupted, in which case its interrupt status is set. So
     * the caller must check its condition afterward, and block if it does not hold.
     *
     * <p>Must not be called with a lock held that what is served, or a task, may take. Does nothing on the loop. Never throws.
     *
     * @param done must not block or throw. Evaluated before and after each wait. A thread that makes it true without being on the loop must
     *     call {@link #wakePoller}
     */
    public void pollUntil(BooleanSupplier done) {
        if (ended || isCurrent() || done.getAsBoolean() || !lead.tryLead(done)) {
            return;
        }
        boolean wasInterrupted = false;
        turn.lock();
        try {
            io.callerLeads();
            int longest = Math.min(LONGEST_WAIT_MILLIS, io.longestLeadMillis());
            do {
                round(done, longest);
                wasInterrupted = interrupted;
            } while (!done.getAsBoolean()
                    && !ended
                    && !wasInterrupted
                    && failures == 0
                    && !lead.isTooMuch(ready)
                    && !lead.hasLedFor(io.longestLeadMillis()));
        } catch (Throwable failure) {
            // Perhaps the caller's stack is too deep. The loop's thread takes over, and the caller blocks.
            tasks.log("a round on a caller's thread failed", failure);
        } finally {
            try {
                awake.set(false);
            } finally {
                giveTurnSurely();
            }
            lead.stopLeading(!done.getAsBoolean());
        }
        if (isWanted()) {
            lead.wakeIfVacant();
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Else the loop would stand still for good. */
    private void giveTurnSurely() {
        try {
            turn.unlock();
        } catch (Error broken) {
            // Perhaps the caller's stack is too deep, but not for this.
            if (turn.isHeldByCurrentThread()) {
                turn.unlock();
            }
        }
    }

    /** Makes a thread in {@link #pollUntil} evaluate its condition. Any thread. Costs almost nothing if there is no such thread. */
    public void wakePoller() {
        if (lead.isAnothers()) {
            wake();
        }
    }

    private void wake() {
        try {
            if (awake.compareAndSet(false, true)) {
                wakeNow();
            }
        } catch (RuntimeException | Error broken) {
            // Once more: nobody else wakes a loop that counts as woken.
            wakeNow();
        }
    }

    private void wakeNow() {
        synchronized (life) {
            if (ended) {
                return;
            }
            if (thread == null) {
                start();
            } else if (!lead.wakeIfVacant()) {
                io.wakeup();
            }
        }
    }

    /** Whether there is work although nobody leads the loop. */
    private boolean isWanted() {
        return awake.get() || lastCall != null || fairShare.isWaiting() || !tasks.noneWaits();
    }

    /** Starts the thread, holding {@link #life}. If the system cannot start one, the next task tries again. */
    private void start() {
        Thread fresh = Workers.daemon(name, this::run);
        try {
            fresh.start();
            thread = fresh;
        } finally {
            if (thread == null) {
                awake.set(false);
            }
        }
    }

    /** On the loop: makes the waiting thread check for work, timers and what it waits for again before it waits on. */
    public void recheck() {
        stale = true;
    }

    /** On the loop: runs a task after all tasks that are queued now, so that it can do the work of several at once. */
    public void afterTasks(Runnable task) {
        tasks.addAfter(task);
    }

    /** On the loop: runs an action after a delay, unless the timer is cancelled. */
    public Timers.Timer schedule(Duration delay, Runnable action) {
        Timers.Timer timer = timers.schedule(delay, action);
        if (timers.isNext(timer)) {
            recheck();
        }
        return timer;
    }

    /** On the loop: what each peer may have of the loop's rounds. */
    FairShare fairShare() {
        return fairShare;
    }

    /** Whether the caller is on the loop: it is the loop's thread, or serves the loop in its place. */
    public boolean isCurrent() {
        return turn.isHeldByCurrentThread();
    }

    /** Called by the handler when a wait is over: puts the thread that waited on the loop, once no other thread is. No effect on the loop. */
    public void enter() {
        if (!turn.isHeldByCurrentThread()) {
            turn.lock();
            // Tasks that are added from here on need not wake this thread.
            woken = awake.getAndSet(true);
        }
    }

    /** Called by the handler: runs what serves something, and logs what it throws, so that the loop continues to serve the others. */
    public void guarded(Runnable task) {
        tasks.guarded(task);
    }

    /** Shuts down what is served. Ends the loop when the handler is {@linkplain IoHandler#isIdle idle}, or after {@code limit}. */
    public void shutDown(Duration limit) {
        execute(() -> {
            if (lastCall == null) {
                lastCall = schedule(limit, () -> ended = true);
                io.shutDown();
            }
        });
    }

    /** Waits until a loop that was shut down has ended, at most {@code limit}. */
    public void await(Duration limit) throws InterruptedException {
        if (!over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(Level.WARNING, "{0} has not ended within {1}", name, limit);
        }
    }

    /** The loop's name. */
    @Override
    public String toString() {
        return name;
    }

    private void run() {
        lead.threadStarted();
        turn.lock();
        boolean left = false;
        try {
            Map<LoopLocal<?>, Object> former = formerLocals.get();
            locals = former == null ? locals : former;
            while (!ended && !left) {
                left = serve();
            }
            if (ended) {
                exit();
            }
        } finally {
            if (!ended && !left) {
                // After an Error that nothing else has caught: the next task starts another thread.
                synchronized (life) {
                    awake.set(false);
                    thread = null;
                }
            }
            turn.unlock();
        }
    }

    /**
     * Does one round, and leaves the loop if it is idle. An exception does not end the thread, because nothing would start another.
     *
     * @return whether the thread is to end
     */
    private boolean serve() {
        try {
            boolean rested = round(() -> false, LONGEST_WAIT_MILLIS);
            if (lead.isWorthLeaving(ready)) {
                leaveToCallers();
            }
            return rested && stopIfIdle();
        } catch (Throwable failure) {
            tasks.log("a round failed", failure);
            return false;
        }
    }

    private void leaveToCallers() {
        awake.set(false);
        turn.unlock();
        try {
            lead.leaveToCallers(isWanted);
        } finally {
            turn.lock();
        }
    }

    /**
     * Waits for work and does it. Called on the loop by the leading thread.
     *
     * @param done does not wait if this holds
     * @param longestMillis the longest wait
     * @return whether the loop was idle for as long as an idle thread is kept
     */
    private boolean round(BooleanSupplier done, int longestMillis) {
        boolean polls = io.isPolling();
        if (!polls) {
            // From here on, a thread that adds a task wakes this one, which otherwise finds the task itself.
            awake.set(false);
        }
        boolean idle = isIdle();
        stale = false;
        ranHere = 0;
        fairShare.nextRound(guarded);
        int longest = idle ? Math.min(longestMillis, io.idleMillis()) : longestMillis;
        await(polls, polls || done.getAsBoolean() ? 0 : millisToWait(longest));
        boolean rested = idle && !woken && !interrupted && ready == 0 && failures == 0;
        tasks.run();
        timers.fire(guarded);
        tasks.run();
        if (lastCall != null && io.isIdle()) {
            ended = true;
        }
        return rested;
    }

    private int millisToWait(int longest) {
        return tasks.isEmpty() && !fairShare.isWaiting() ? timers.millisToNext(longest) : 0;
    }

    /**
     * Has the handler wait without the turn, and serve what is ready. Clears the thread's interrupt status, because the handler does not wait while
     * it is set. If waiting fails, pauses, each time longer, so as not to keep a processor busy.
     */
    private void await(boolean polls, int millis) {
        ready = 0;
        if (!polls) {
            turn.unlock();
        }
        try {
            ready = io.await(millis);
            failures = 0;
        } catch (Throwable failure) {
            failures++;
            tasks.log("select failed", failure);
            LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << Math.min(failures, 10)));
        } finally {
            enter();
            interrupted = Thread.interrupted();
        }
    }

    private boolean isIdle() {
        return io.isIdle() && timers.isEmpty() && tasks.isEmpty() && !fairShare.isWaiting();
    }

    /** Ends the thread, unless there is work. A task added after this starts a new thread. */
    private boolean stopIfIdle() {
        synchronized (life) {
            awake.set(false);
            if (!isIdle()) {
                return false;
            }
            formerLocals = new WeakReference<>(locals);
            locals = new HashMap<>();
            thread = null;
            timers.sleepsForGood();
            lead.threadStopped();
            return true;
        }
    }

    private void exit() {
        io.cutOff();
        synchronized (life) {
            io.close();
        }
        tasks.runAll();
        lead.threadStopped();
        over.countDown();
    }

    /**
     * A value that exists once per event loop, shared by its channels: for example memory that a channel needs only while it is served. When a loop's
     * thread ends, the garbage collector may collect the values. If it has not, the loop's next thread uses them again.
     */
    public static final class LoopLocal<T> {
        private final Supplier<T> initial;

        /** @param initial creates a loop's value when it is first requested */
        public LoopLocal(Supplier<T> initial) {
            this.initial = initial;
        }

        /** On the loop: the loop's value. */
        @SuppressWarnings("unchecked")
        public T of(EventLoop loop) {
            return (T) loop.locals.computeIfAbsent(this, local -> local.initial.get());
        }
    }
}
