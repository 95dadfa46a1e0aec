// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An event loop's selector and its turn: the thread that has the turn is on the loop. While a thread waits in the selector it gives up the turn,
 * so that another thread can run a task. All methods are called by the thread that has the turn, unless stated otherwise.
 */
final class LoopSelector {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final String loop;
    private final Selector selector;
    private final ReentrantLock turn = new ReentrantLock();
    /** Whether the serving thread checks for tasks before it sleeps. A thread that sets this must wake the serving thread. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final Consumer<SelectionKey> serve;
    private final Consumer<SelectionKey> enterAndServe = this::enterAndServe;
    private boolean interrupted;
    private boolean woken;
    private int served;
    private int servedBefore;
    private int ready;
    private long failures;

    /**
     * Wraps a selector that has no channels yet.
     *
     * @param loop the loop's name, for the log
     * @param serve receives each ready channel
     */
    LoopSelector(String loop, Selector selector, Consumer<SelectionKey> serve) {
        this.loop = loop;
        this.selector = selector;
        this.serve = serve;
    }

    /** Whether the calling thread has the turn. Any thread. */
    boolean isCurrent() {
        return turn.isHeldByCurrentThread();
    }

    /** Takes the turn if it is free. Any thread. */
    boolean tryTurn() {
        return turn.tryLock();
    }

    /** Waits for the turn. Any thread. */
    void takeTurn() {
        turn.lock();
    }

    void giveTurn() {
        turn.unlock();
    }

    /** Whether the serving thread must be woken, by this caller. Any thread. */
    boolean mustWake() {
        return awake.compareAndSet(false, true);
    }

    /** From here on, a thread that adds a task wakes the serving thread. */
    void mayBeWoken() {
        awake.set(false);
    }

    /** Whether a thread has requested that the loop be served. Any thread. */
    boolean isWanted() {
        return awake.get();
    }

    /** Ends a thread's wait in the selector. Any thread. */
    void wakeup() {
        selector.wakeup();
    }

    /**
     * Waits without the turn until channels are ready, and serves them. Clears the thread's interrupt status, because the selector does not wait
     * while it is set.
     *
     * @param millis the longest wait; 0 does not wait
     */
    void select(int millis) {
        ready = 0;
        servedBefore = served;
        served = 0;
        turn.unlock();
        try {
            ready = millis == 0 ? selector.selectNow(enterAndServe) : selector.select(enterAndServe, millis);
            failures = 0;
        } catch (Throwable failure) {
            failures++;
            if (Long.bitCount(failures) == 1) {
                LOG.log(Level.ERROR, loop + ": select failed, " + failures + " times in a row so far", failure);
            }
        } finally {
            enter();
            interrupted = Thread.interrupted();
        }
    }

    private void enterAndServe(SelectionKey key) {
        enter();
        served++;
        serve.accept(key);
    }

    /** Takes the turn when the wait has ended. The selector reports channels one by one, and the first of them ends the wait. */
    private void enter() {
        if (!turn.isHeldByCurrentThread()) {
            turn.lock();
            // Tasks that are added from here on need not wake this thread.
            woken = awake.getAndSet(true);
        }
    }

    /** The number of channels served since the last select began, or in the one before, whichever is more. */
    int served() {
        return Math.max(served, servedBefore);
    }

    /** The number of channels that the last select found ready. */
    int ready() {
        return ready;
    }

    /** Whether the last select ended by its time limit. */
    boolean timedOut() {
        return !woken && !interrupted && ready == 0 && failures == 0;
    }

    /** Whether the last thread to wait was interrupted. */
    boolean wasInterrupted() {
        return interrupted;
    }

    boolean isFailing() {
        return failures > 0;
    }

    /** Waits without the turn, each time longer, up to a second, so that a failing selector does not keep a processor busy. */
    void pause() {
        turn.unlock();
        try {
            LockSupport.parkNanos(
                    TimeUnit.MILLISECONDS.toNanos(Math.min(LONGEST_PAUSE_MILLIS, 1L << Math.min(failures, 10))));
        } finally {
            turn.lock();
        }
    }

    SelectionKey register(SelectableChannel channel, int operations, Object attachment) throws IOException {
        return channel.register(selector, operations, attachment);
    }

    /** The keys of all channels, including closed channels that are still registered. */
    Set<SelectionKey> keys() {
        return selector.keys();
    }

    /** Deregisters closed channels. */
    void releaseClosed() {
        try {
            if (selector.isOpen()) {
                selector.selectNow(ready -> {});
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, loop + ": a closed channel is released later", e);
        }
    }

    /** Closes the selector when no thread waits in it. Any thread. */
    void close() {
        EventLoop.closeQuietly(selector);
    }
}
