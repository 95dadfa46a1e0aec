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
 * An event loop's selector, and the turn: the thread that has the turn is on the loop. A thread that waits in the selector gives up the
 * turn meanwhile, so that another can do a task. All methods are called by the thread that has the turn, unless stated otherwise.
 */
final class LoopSelector {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final String loop;
    private final Selector selector;
    private final ReentrantLock turn = new ReentrantLock();
    /** Whether the thread that serves the loop looks for tasks before it sleeps. A thread that sets it has to wake that thread. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final Consumer<SelectionKey> serve;
    private final Consumer<SelectionKey> enterAndServe = this::enterAndServe;
    private boolean interrupted;
    private boolean woken;
    private int ready;
    private long failures;

    /**
     * A selector without channels.
     *
     * @param loop its name, for the log
     * @param serve receives the ready channels, one by one
     */
    LoopSelector(String loop, Selector selector, Consumer<SelectionKey> serve) {
        this.loop = loop;
        this.selector = selector;
        this.serve = serve;
    }

    /** Whether it is the calling thread's turn. On any thread. */
    boolean isCurrent() {
        return turn.isHeldByCurrentThread();
    }

    /** Takes the turn if it is free. On any thread. */
    boolean tryTurn() {
        return turn.tryLock();
    }

    /** Waits for the turn. On any thread. */
    void takeTurn() {
        turn.lock();
    }

    void giveTurn() {
        turn.unlock();
    }

    /** Whether the thread that serves the loop has to be woken, by this caller. On any thread. */
    boolean mustWake() {
        return awake.compareAndSet(false, true);
    }

    /** From here on, a thread that adds a task wakes the thread that serves the loop. */
    void mayBeWoken() {
        awake.set(false);
    }

    /** Whether somebody wants the loop served. On any thread. */
    boolean isWanted() {
        return awake.get();
    }

    /** Ends the wait of a thread in the selector. On any thread. */
    void wakeup() {
        selector.wakeup();
    }

    /**
     * Waits without the turn for channels to be ready, and serves them. Clears the thread's interrupt flag, because with the flag set the
     * selector would not wait again.
     *
     * @param millis 0 not to wait
     */
    void select(int millis) {
        ready = 0;
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
        serve.accept(key);
    }

    /** On the loop again: the selector reports channels one by one, and the first of them ends the wait. */
    private void enter() {
        if (!turn.isHeldByCurrentThread()) {
            turn.lock();
            // A task that is added from here on need not wake this thread.
            woken = awake.getAndSet(true);
        }
    }

    /** How many channels the last select found ready. */
    int ready() {
        return ready;
    }

    /** Whether the last select ended by its time limit. */
    boolean timedOut() {
        return !woken && !interrupted && ready == 0 && failures == 0;
    }

    /** Whether the thread that waited last was interrupted. */
    boolean wasInterrupted() {
        return interrupted;
    }

    boolean isFailing() {
        return failures > 0;
    }

    /** Waits without the turn, longer each time up to a second, so that a failing selector does not keep the loop busy. */
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

    /** The channels, including closed ones that are still registered. */
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

    /** On any thread, once nobody waits in it. */
    void close() {
        EventLoop.closeQuietly(selector);
    }
}
