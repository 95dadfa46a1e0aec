// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.RpcException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that wait for a credit. They start one at a time, in the order in which they were added.
 * A waiting call has not been encoded and holds no memory but its arguments. Safe for use by several threads.
 */
public final class CallQueue {
    /**
     * The most calls that may wait. Further ones fail, so that a server that does not reply cannot exhaust the memory
     * of its clients.
     */
    public static final int LIMIT = 65_536;

    private final Sender sender;
    private final Executor workers;
    private final Set<PendingCall<?, ?>> waiting = new LinkedHashSet<>();

    /** The number of unserved requests to start calls. The thread that increments it from zero serves them all. */
    private final AtomicInteger requests = new AtomicInteger();

    /** Sends the calls of one connection; the requester of a transport. */
    public interface Sender {
        /** Consumes a credit for a call if there is one. Called with the queue's lock held, so it must not call the queue. */
        boolean consumeCredit(PendingCall<?, ?> call);

        /** Whether {@link #send} may take long. Must not throw. */
        boolean mayBlock(PendingCall<?, ?> call);

        /** Sends a call that has a credit. Called by one thread at a time, without the lock. If it throws, the call fails. */
        void send(PendingCall<?, ?> call);

        /**
         * Ends the connection, and with it its calls. Called if the queue itself fails, for example for lack of stack: then it may start no call any
         * more.
         */
        void failed(Throwable broken);
    }

    /**
     * Creates an empty queue.
     *
     * @param workers send calls that may block, when a thread of the connection has a credit for them; must accept every task
     */
    public CallQueue(Sender sender, Executor workers) {
        this.sender = sender;
        this.workers = workers;
    }

    /**
     * Starts a call on the caller's thread if there is a credit; otherwise adds it to the queue. If too many calls
     * wait, the call fails with QUEUE_FULL.
     */
    public void add(PendingCall<?, ?> call) {
        try {
            startOrEnter(call);
        } catch (RuntimeException | Error failure) {
            sender.failed(failure);
            throw failure;
        }
    }

    private void startOrEnter(PendingCall<?, ?> call) {
        boolean alone = requests.compareAndSet(0, 1);
        boolean entered = true;
        if (alone && consumeCreditBeforeAll(call)) {
            start(call);
        } else {
            entered = enter(call);
        }
        if (alone || (entered && requests.getAndIncrement() == 0)) {
            startCalls(true);
        }
        if (!entered) {
            call.giveUp(
                    Kind.QUEUE_FULL,
                    LIMIT
                            + " calls already wait for a credit on this connection; wait for some to complete before making more");
        }
    }

    /** Removes a call, which has been aborted, if it still waits. It then consumes no credit. */
    public synchronized void remove(PendingCall<?, ?> call) {
        waiting.remove(call);
    }

    /**
     * Starts the waiting calls for which there are credits. Never blocks, so that threads that serve connections may
     * call it.
     */
    public void creditsChanged() {
        try {
            if (requests.getAndIncrement() == 0) {
                startCalls(false);
            }
        } catch (RuntimeException | Error failure) {
            sender.failed(failure);
        }
    }

    private synchronized boolean consumeCreditBeforeAll(PendingCall<?, ?> call) {
        return waiting.isEmpty() && call.isWaiting() && sender.consumeCredit(call);
    }

    private synchronized boolean enter(PendingCall<?, ?> call) {
        return waiting.size() < LIMIT && waiting.add(call);
    }

    private void startCalls(boolean threadMayBlock) {
        int served = 1;
        do {
            for (PendingCall<?, ?> call = next(); call != null; call = next()) {
                if (!threadMayBlock && sender.mayBlock(call)) {
                    goOnElsewhere(call);
                    return;
                }
                start(call);
            }
            served = requests.addAndGet(-served);
        } while (served > 0);
    }

    private void goOnElsewhere(PendingCall<?, ?> first) {
        workers.execute(() -> {
            try {
                start(first);
                startCalls(true);
            } catch (RuntimeException | Error failure) {
                sender.failed(failure);
            }
        });
    }

    /** Starts a call. An error must not affect the other calls. */
    private void start(PendingCall<?, ?> call) {
        try {
            sender.send(call);
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.NO_RESOURCES, "cannot be sent: " + broken, broken));
        }
    }

    private synchronized @Nullable PendingCall<?, ?> next() {
        if (waiting.isEmpty()) {
            return null;
        }
        Iterator<PendingCall<?, ?>> inOrder = waiting.iterator();
        while (inOrder.hasNext()) {
            PendingCall<?, ?> call = inOrder.next();
            boolean givenUp = !call.isWaiting();
            if (!givenUp && !sender.consumeCredit(call)) {
                return null;
            }
            inOrder.remove();
            if (!givenUp) {
                return call;
            }
        }
        return null;
    }
}
