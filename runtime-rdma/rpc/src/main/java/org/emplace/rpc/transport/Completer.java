// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Selects the thread that completes a call. If a thread waits for the call, or begins to wait before the work has
 * started, that thread does the work, because it must wake up anyway. Otherwise a thread of an executor does. Safe for
 * use by several threads.
 */
final class Completer implements BooleanSupplier, Callbacks.Task {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Completer.class, "state", Object.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The state after the work has been taken. */
    private static final Object GONE = new Object();

    /** Null at first; then the waiting thread, the work (a {@link Runnable}) or {@link #GONE}. */
    @SuppressWarnings("unused") // used by STATE
    private volatile @Nullable Object state;

    /** The thread that waits, or has waited. */
    private volatile @Nullable Thread waiter;

    private final ReplyThreads threads;
    private final Executor others;
    private final Consumer<Throwable> broken;

    /**
     * @param threads the threads that a waiting thread helps
     * @param others runs the work if the thread that waits for it cannot
     * @param broken called if the work throws: completes the call in another way
     */
    Completer(ReplyThreads threads, Executor others, Consumer<Throwable> broken) {
        this.threads = threads;
        this.others = others;
        this.broken = broken;
    }

    /**
     * Leaves the work to a thread that waits, now or later. Does not wake the thread.
     *
     * @return whether a thread waits, which the caller must {@link #wake}; if not, the caller must have an executor run
     *     this object
     */
    boolean leave(Runnable work) {
        while (true) {
            Object before = state;
            Object now = before instanceof Runnable left && !(before instanceof Thread) ? both(left, work) : work;
            if (STATE.compareAndSet(this, before, now)) {
                return before instanceof Thread;
            }
        }
    }

    private static Runnable both(Runnable first, Runnable second) {
        return () -> {
            try {
                first.run();
            } finally {
                second.run();
            }
        };
    }

    /** Runs the work that was left, unless another thread has taken it. */
    @Override
    public void run() {
        Object left = state;
        if (left instanceof Runnable work && !(left instanceof Thread) && STATE.compareAndSet(this, left, GONE)) {
            try {
                work.run();
            } catch (Throwable failure) {
                broken.accept(failure);
            }
        }
    }

    /** The work is run by another attempt, if it has not begun. */
    @Override
    public void failed(Throwable cause) {
        run();
    }

    /**
     * Has the work run once, soon.
     *
     * @param otherwise runs the work if no thread waits
     */
    void complete(Runnable work, Executor otherwise) {
        if (leave(work)) {
            wake();
        } else {
            otherwise.execute(this);
        }
    }

    /** Wakes the thread that waits, if there is one. */
    void wake() {
        Thread waiting = waiter;
        if (waiting != null && waiting != Thread.currentThread()) {
            LockSupport.unpark(waiting);
            threads.wakeHelper();
        }
    }

    /** Called when the call has completed, by this work or otherwise: makes a waiting thread return. */
    void over() {
        // Work that has been left must still run: it releases what the call holds.
        for (Object before = state; before == null || before instanceof Thread; before = state) {
            STATE.compareAndSet(this, before, GONE);
        }
        wake();
    }

    /** Whether the waiting thread has work. */
    @Override
    public boolean getAsBoolean() {
        return !(state instanceof Thread);
    }

    /**
     * Waits for the work and runs it. Returns at once if another thread has taken the work, or already waits.
     *
     * @throws InterruptedException if this thread is interrupted before it is assigned the work
     */
    void await() throws InterruptedException {
        Thread waiting = Thread.currentThread();
        waiter = waiting;
        if (!STATE.compareAndSet(this, null, waiting)) {
            run();
            return;
        }
        boolean waited = false;
        try {
            threads.helpUntil(this);
            while (state == waiting) {
                if (Thread.currentThread().isInterrupted() && STATE.compareAndSet(this, waiting, null)) {
                    Thread.interrupted();
                    throw new InterruptedException();
                }
                LockSupport.park(this);
            }
            waited = true;
        } finally {
            if (!waited) {
                stopWaiting(waiting);
            }
        }
        try {
            run();
        } catch (RuntimeException | Error broken) {
            others.execute(this);
            throw broken;
        }
    }

    /** Leaves the work to others: this thread cannot wait for it, for example for lack of stack. */
    private void stopWaiting(Thread waiting) {
        if (!STATE.compareAndSet(this, waiting, null)) {
            others.execute(this);
        }
    }
}
