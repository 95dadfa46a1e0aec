// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.emplace.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Selects the thread that completes a call. If a thread waits for the call, or begins to wait before the work has
 * started, that thread does the work, because it must wake up anyway. Otherwise a thread of an executor does. Safe for
 * use by several threads.
 */
final class Completer implements BooleanSupplier, Runnable {
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

    private final PendingCall<?, ?> call;

    /** @param call the call to complete, even if the work fails */
    Completer(PendingCall<?, ?> call) {
        this.call = call;
    }

    /**
     * Hands the work over to a thread that waits, now or later. Does not wake the thread.
     *
     * @return the waiting thread, which the caller must {@link #wake}; null if no thread waits, so that the caller must
     *     have an executor run this object; the calling thread if it has run the work itself, because other work had
     *     been handed over before
     */
    @Nullable
    Thread handOver(Runnable work) {
        while (true) {
            Object before = state;
            if (before != null && !(before instanceof Thread)) {
                work.run();
                return Thread.currentThread();
            }
            if (STATE.compareAndSet(this, before, work)) {
                return (Thread) before;
            }
        }
    }

    /** Runs the work that was handed over, unless another thread has taken it. */
    @Override
    public void run() {
        Object now = state;
        if (now instanceof Runnable work && !(now instanceof Thread) && STATE.compareAndSet(this, now, GONE)) {
            try {
                work.run();
            } catch (RuntimeException | Error broken) {
                call.fail(RpcException.Kind.BAD_REPLY, "the reply could not be decoded: " + broken, broken);
            }
        }
    }

    /**
     * Has the work run once, soon.
     *
     * @param otherwise runs the work if no thread waits
     */
    void complete(Runnable work, Executor otherwise) {
        Thread waiting = handOver(work);
        if (waiting == null) {
            otherwise.execute(this);
        } else {
            wake(waiting);
        }
    }

    /** Wakes the thread that {@link #handOver} has returned. */
    void wake(Thread waiting) {
        if (waiting != Thread.currentThread()) {
            LockSupport.unpark(waiting);
            call.threads().wakePoller();
        }
    }

    /** Called when the call has completed, by this work or otherwise: makes a waiting thread return. */
    void over() {
        complete(Completer::nothing, Runnable::run);
    }

    private static void nothing() {}

    /** Whether the waiting thread has work. */
    @Override
    public boolean getAsBoolean() {
        return !(state instanceof Thread);
    }

    /**
     * Waits for the work and runs it. Returns at once if another thread has taken the work, or already waits.
     *
     * @throws InterruptedException if this thread is interrupted before it is assigned the work
     * @throws Error if this thread cannot wait, for example for lack of stack; then another thread does the work
     */
    void await() throws InterruptedException {
        Thread waiting = Thread.currentThread();
        if (!STATE.compareAndSet(this, null, waiting)) {
            run();
            return;
        }
        try {
            waitAs(waiting);
        } catch (RuntimeException | Error broken) {
            if (!STATE.compareAndSet(this, waiting, null)) {
                call.callbacks().execute(this);
            }
            throw broken;
        }
    }

    private void waitAs(Thread waiting) throws InterruptedException {
        call.threads().pollUntil(this);
        while (state == waiting) {
            if (Thread.currentThread().isInterrupted() && STATE.compareAndSet(this, waiting, null)) {
                Thread.interrupted();
                throw new InterruptedException();
            }
            LockSupport.park(this);
        }
        run();
    }
}
