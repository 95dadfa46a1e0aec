// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves many channels, tasks in order, and timers on one thread. While that thread sleeps in the selector, a thread that posts a task may run
 * it, or a caller that waits may serve the loop. Only one thread at a time is on the loop, so the state of a connection needs no locks.
 *
 * <p>The thread ends when the loop has had no channel, task or timer for 20 ms, and the next task starts a new one. So the threads of the
 * runtime end with its last connection.
 */
public final class EventLoop implements Executor {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final int LONGEST_WAIT_MILLIS = 60_000;
    /**
     * Long enough to keep the thread while connections are opened in a row. Not longer, because the exit of a JVM waits up to 300 ms for a thread
     * in the selector.
     */
    private static final int IDLE_MILLIS = 20;

    /** The most tasks that callers run between two rounds. After these, more are likely to come, and the next round runs them together. */
    private static final int MOST_HERE = 4;

    private static final LoopLocal<ByteBuffer> SCRATCH = new LoopLocal<>(() -> ByteBuffer.allocateDirect(256 * 1024));
    private static final int RELEASE_LIMIT_SECONDS = 5;

    /** The handler of a channel. Called on the loop. Must not block. */
    public interface Attachment {
        /** The channel is ready for an operation in the key's interest set. */
        void ready(SelectionKey key);

        /** Called if {@link #ready} has thrown: ends the connection. The loop continues to serve the others. */
        void failed(Throwable cause);

        /** Called when the loop shuts down: finishes, and closes the channel soon. */
        void shutDown();

        /** Called when the loop has ended and closed the channel: ends everything at once. */
        default void cutOff() {
            shutDown();
        }
    }

    private final String name;
    private final int idleMillis;
    private final LoopSelector selector;
    private final LoopTasks tasks;
    private final Timers timers = new Timers();
    private final Lead lead = new Lead();
    private final Consumer<Runnable> guarded;
    private final FairShare fairShare = new FairShare();
    private final BooleanSupplier isWanted = this::isWanted;
    /** Guards the start and the end of the thread, and the closing of the selector. */
    private final Object life = new Object();

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean ended;
    /** Whether the selector still holds channels that were closed. */
    private volatile boolean releasing;

    private Timers.@Nullable Timer lastCall;
    /** Whether interests or timers have changed since a thread began to wait in the selector. */
    private boolean stale;
    /** The number of tasks that callers have run since a thread began to wait in the selector. A read without the turn may return an old value. */
    private int ranHere;

    private Map<LoopLocal<?>, Object> locals = new HashMap<>();
    /** The loop-local values of the last thread, for the next: clients may connect, call and close again and again. */
    private WeakReference<Map<LoopLocal<?>, Object>> formerLocals = new WeakReference<>(null);

    /** Null while the loop is idle. Guarded by {@link #life}. */
    private @Nullable Thread thread;

    /**
     * Creates a loop. Its thread starts with the first task.
     *
     * @param name of its thread
     * @throws IOException if the system cannot open a selector
     */
    public EventLoop(String name) throws IOException {
        this(name, Selector.open(), IDLE_MILLIS);
    }

    EventLoop(String name, Selector selector, int idleMillis) {
        this.idleMillis = idleMillis;
        this.name = name;
        this.selector = new LoopSelector(name, selector, this::tell);
        this.tasks = new LoopTasks(name);
        this.guarded = tasks::guarded;
    }

    /** Closes a loop that was never used. */
    void abandon() {
        selector.close();
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
     * As {@link #execute}, but if the loop's thread sleeps and no task waits, the caller runs the task, and is on the loop during that. This saves
     * two thread switches. If callers have already run several tasks since the loop's last round, the task waits for the next round, so that
     * {@link #afterTasks} does the work of many at once. The task must not block, and must not depend on the caller's interrupt status.
     */
    public void executeHere(Runnable task) {
        if (ended || isCurrent() || ranHere >= MOST_HERE || !selector.tryTurn()) {
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
     * Lets a waiting caller do the loop's work: serves channels, tasks and timers on the caller's thread until {@code done} holds. Returns earlier
     * if the caller should block instead: another thread does the work (the loop's own does so unless this caller has recently returned soon each
     * time), the loop has ended, or the caller was interrupted, in which case its interrupt status is set. So the caller must check its condition
     * afterward, and block if it does not hold.
     *
     * <p>Must not be called with a lock held that the loop's channels and tasks may take. Does nothing on the loop. Never throws.
     *
     * @param done must not block or throw. Evaluated before and after each wait. A thread that makes it true without being on the loop must
     *     call {@link #wakePoller}
     */
    public void pollUntil(BooleanSupplier done) {
        if (ended || isCurrent() || done.getAsBoolean() || !lead.tryLead(done)) {
            return;
        }
        boolean wasInterrupted = false;
        selector.takeTurn();
        try {
            do {
                round(done);
                wasInterrupted = selector.wasInterrupted();
            } while (!done.getAsBoolean()
                    && !ended
                    && !wasInterrupted
                    && !selector.isFailing()
                    && !lead.isTooMuch(selector.ready()));
        } catch (Throwable failure) {
            // Perhaps the caller's stack is too deep. The loop's thread takes over, and the caller blocks.
            tasks.log("a round on a caller's thread failed", failure);
        } finally {
            try {
                selector.mayBeWoken();
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
            selector.giveTurn();
        } catch (Error broken) {
            // Perhaps the caller's stack is too deep, but not for this.
            if (selector.isCurrent()) {
                selector.giveTurn();
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
            if (selector.mustWake()) {
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
                selector.wakeup();
            }
        }
    }

    /** Whether there is work although nobody leads the loop. */
    private boolean isWanted() {
        return selector.isWanted() || ended || releasing || fairShare.isWaiting() || !tasks.noneWaits();
    }

    /** Starts the thread, holding {@link #life}. If the system cannot start one, the next task tries again. */
    private void start() {
        Thread fresh = Workers.daemon(name, this::run);
        try {
            fresh.start();
            thread = fresh;
        } finally {
            if (thread == null) {
                selector.mayBeWoken();
            }
        }
    }

    /** On the loop: makes the thread in the selector check channels and timers again before it sleeps on. */
    public void recheck() {
        stale = true;
    }

    /** On the loop: sets a channel's interest set. No effect if the channel is closed. */
    public void watch(SelectionKey key, int operations) {
        try {
            if (key.interestOps() != operations) {
                key.interestOps(operations);
                recheck();
            }
        } catch (CancelledKeyException closed) {
            LOG.log(Level.TRACE, "{0}: a channel was closed by another thread", name);
        }
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

    /** On the loop: registers a non-blocking channel. */
    public SelectionKey register(SelectableChannel channel, int operations, Attachment attachment) throws IOException {
        recheck();
        return selector.register(channel, operations, attachment);
    }

    /** On the loop: what each peer may have of the loop's rounds. */
    public FairShare fairShare() {
        return fairShare;
    }

    /**
     * On the loop: whether several channels have work in this round or had in the last, or tasks wait for their peers' turns. If not, nobody gains from
     * a turn that ends before its peer's share of the round does.
     */
    public boolean isCrowded() {
        return selector.served() > 1 || fairShare.isWaiting();
    }

    /** On the loop: memory that all attachments share, valid during one call. Its contents are undefined. */
    public ByteBuffer scratch() {
        return SCRATCH.of(this).clear();
    }

    /** On the loop: the loop's value; see {@link LoopLocal#of}. */
    @SuppressWarnings("unchecked")
    <T> T local(LoopLocal<T> key) {
        return (T) locals.computeIfAbsent(key, LoopLocal::make);
    }

    /** Closes a channel, on any thread. The loop then deregisters it; only then does the system close the socket. */
    public void close(SelectableChannel channel) {
        closeQuietly(channel);
        releasing = true;
        if (isCurrent()) {
            recheck();
        } else {
            wake();
        }
    }

    /** Waits, for a short time at most, until the system has closed the sockets of all channels closed before. Returns at once on the loop. */
    public void awaitRelease() {
        if (isCurrent()) {
            return;
        }
        CountDownLatch released = new CountDownLatch(1);
        execute(() -> {
            selector.releaseClosed();
            released.countDown();
        });
        try {
            if (!released.await(RELEASE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "{0} is busy; a closed channel is released later", name);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the caller is on the loop: it is the loop's thread, or serves the loop in its place. */
    public boolean isCurrent() {
        return selector.isCurrent();
    }

    /** Shuts down all attachments. Ends the loop when their channels are closed, or after {@code limit}. */
    public void shutDown(Duration limit) {
        execute(() -> {
            if (lastCall == null) {
                lastCall = schedule(limit, () -> ended = true);
                for (SelectionKey key : new ArrayList<>(selector.keys())) {
                    attachment(key).shutDown();
                }
            }
        });
    }

    /** Waits until a loop that was shut down has ended, at most {@code limit}. */
    public void await(Duration limit) throws InterruptedException {
        if (!over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(Level.WARNING, "{0} has not ended within {1}", name, limit);
        }
    }

    private void run() {
        lead.threadStarted();
        selector.takeTurn();
        try {
            Map<LoopLocal<?>, Object> former = formerLocals.get();
            locals = former == null ? new HashMap<>() : former;
            boolean left = false;
            while (!ended && !left) {
                left = serve();
            }
            if (ended) {
                exit();
            }
        } finally {
            selector.giveTurn();
        }
    }

    /**
     * Does one round, and leaves the loop if it is idle. An exception does not end the thread, because nothing would start another.
     *
     * @return whether the thread is to end
     */
    private boolean serve() {
        try {
            boolean rested = round(EventLoop::never);
            if (selector.isFailing()) {
                selector.pause();
            } else if (lead.isWorthLeaving(selector.ready())) {
                leaveToCallers();
            }
            return rested && stopIfIdle();
        } catch (Throwable failure) {
            tasks.log("a round failed", failure);
            return false;
        }
    }

    private void leaveToCallers() {
        selector.mayBeWoken();
        selector.giveTurn();
        try {
            lead.leaveToCallers(isWanted);
        } finally {
            selector.takeTurn();
        }
    }

    /**
     * Waits for work and does it. Called on the loop by the leading thread.
     *
     * @param done does not wait if this holds
     * @return whether the loop was idle for as long as an idle thread is kept
     */
    private boolean round(BooleanSupplier done) {
        selector.mayBeWoken();
        boolean idle = isIdle();
        stale = false;
        ranHere = 0;
        fairShare.nextRound(guarded);
        selector.select(done.getAsBoolean() ? 0 : millisToWait(idle ? idleMillis : LONGEST_WAIT_MILLIS));
        boolean rested = idle && selector.timedOut();
        tasks.run();
        timers.fire(guarded);
        tasks.run();
        if (lastCall != null && selector.keys().stream().noneMatch(SelectionKey::isValid)) {
            ended = true;
        }
        return rested;
    }

    private int millisToWait(int longest) {
        if (releasing) {
            releasing = false;
            return 0;
        }
        return tasks.isEmpty() && !fairShare.isWaiting() ? timers.millisToNext(longest) : 0;
    }

    private boolean isIdle() {
        return selector.keys().isEmpty() && timers.isEmpty() && tasks.isEmpty() && !fairShare.isWaiting() && !releasing;
    }

    /** Ends the thread, unless there is work. A task added after this starts a new thread. */
    private boolean stopIfIdle() {
        synchronized (life) {
            selector.mayBeWoken();
            if (!isIdle()) {
                return false;
            }
            thread = null;
            timers.sleepsForGood();
            lead.threadStopped();
            formerLocals = new WeakReference<>(locals);
            locals = new HashMap<>();
            return true;
        }
    }

    private void tell(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        Attachment attachment = attachment(key);
        try {
            attachment.ready(key);
        } catch (CancelledKeyException closed) {
            LOG.log(Level.DEBUG, "{0}: a channel was closed while it was ready", name);
        } catch (Throwable failure) {
            tasks.guarded(() -> attachment.failed(failure));
        }
    }

    private void exit() {
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
            tasks.guarded(() -> attachment(key).cutOff());
        }
        synchronized (life) {
            selector.close();
        }
        tasks.runAll();
        lead.threadStopped();
        over.countDown();
    }

    /** Closes a resource. Logs a failure, because no caller can handle it. */
    public static void closeQuietly(@Nullable AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "closing " + resource, e);
        }
    }

    /** The reason why a channel could not be bound or connected. The JDK's exceptions for unusable addresses have no message. */
    public static String describe(Throwable failure) {
        if (failure instanceof UnsupportedAddressTypeException) {
            return "this machine has no IPv6";
        }
        return failure instanceof UnresolvedAddressException ? "no such host" : String.valueOf(failure.getMessage());
    }

    private static boolean never() {
        return false;
    }

    private static Attachment attachment(SelectionKey key) {
        return (Attachment) key.attachment();
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
        public T of(EventLoop loop) {
            return loop.local(this);
        }

        T make() {
            return initial.get();
        }
    }
}
