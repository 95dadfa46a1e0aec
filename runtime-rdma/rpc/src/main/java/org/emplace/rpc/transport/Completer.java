// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects the thread that completes a call: the thread that waits for the call, if there is one, because it must wake
 * up anyway; otherwise a thread of an executor. Safe for use by several threads.
 */
final class Completer implements BooleanSupplier {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Completer.class, "state", Object.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The state after the work has been assigned. */
    private static final Object GONE = new Object();

    /** Null while no thread waits; the waiting thread; the work for that thread; or {@link #GONE}. */
    @SuppressWarnings("unused") // used by STATE
    private volatile @Nullable Object state;

    private final ReplyThreads threads;

    /** @param threads the threads that a waiting thread helps */
    Completer(ReplyThreads threads) {
        this.threads = threads;
    }

    /**
     * Runs the work once, soon.
     *
     * @param otherwise runs it if no thread waits
     */
    void complete(Runnable work, Executor otherwise) {
        while (true) {
            Object before = state;
            if (before instanceof Thread waiting) {
                if (STATE.compareAndSet(this, before, work)) {
                    LockSupport.unpark(waiting);
                    threads.wakeHelper();
                    return;
                }
            } else if (before != null || STATE.compareAndSet(this, null, GONE)) {
                otherwise.execute(work);
                return;
            }
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
     * Waits for the work and runs it. Returns at once if the work has been assigned to an executor, or if another
     * thread already waits.
     *
     * @throws InterruptedException if this thread is interrupted before it is assigned the work
     */
    void await() throws InterruptedException {
        Thread waiting = Thread.currentThread();
        if (!STATE.compareAndSet(this, null, waiting)) {
            return;
        }
        threads.helpUntil(this);
        while (state == waiting) {
            if (Thread.currentThread().isInterrupted() && STATE.compareAndSet(this, waiting, null)) {
                Thread.interrupted();
                throw new InterruptedException();
            }
            LockSupport.park(this);
        }
        Runnable work = (Runnable) STATE.getAndSet(this, GONE);
        work.run();
    }
}
