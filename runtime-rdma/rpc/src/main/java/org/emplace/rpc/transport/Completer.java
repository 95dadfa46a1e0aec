// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread does the work that completes a call: the one that waits for the call, if there is one, since it has to wake up
 * anyway; else one of an executor. Safe for use by several threads.
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

    /** Stands for a waiting thread once the work has been assigned. */
    private static final Object GONE = new Object();

    /** Null while nobody waits; the thread that does; or the work that it is to do. */
    @SuppressWarnings("unused") // but by the handle
    private volatile @Nullable Object state;

    private final ReplyThreads threads;

    /** @param threads that a waiting thread helps */
    Completer(ReplyThreads threads) {
        this.threads = threads;
    }

    /** Gets the work done, once and soon. */
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

    /** The call has completed, perhaps without this work: a waiting thread returns. */
    void over() {
        complete(Completer::nothing, Runnable::run);
    }

    private static void nothing() {}

    /** Whether the waiting thread has something to do. */
    @Override
    public boolean getAsBoolean() {
        return !(state instanceof Thread);
    }

    /**
     * Waits for the work and does it. Returns at once if the work was assigned elsewhere or another thread waits already.
     *
     * @throws InterruptedException if interrupted; work that had been handed over is done first
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
