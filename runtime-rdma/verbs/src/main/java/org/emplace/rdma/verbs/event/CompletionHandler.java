// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.Poller;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.IoHandler;

/**
 * Native event channels, and completion queues that are polled for a while before the loop sleeps, on an event loop of their own. Used on the loop
 * unless a method says otherwise. Everything but polling may also be prepared before the loop runs.
 */
public final class CompletionHandler implements IoHandler {
    /** A completion queue. Called on the loop only. */
    public interface Source {
        /** Takes at most one batch of completions and handles them. Returns whether there were any. */
        boolean poll();

        /** Requests one event for the next completion. It is not sent for completions already in the queue, so {@link #poll} once more afterward. */
        void arm();
    }

    /** A spin without end: completion queues are always polled, which occupies a processor and avoids interrupts. */
    public static final Duration BUSY = Duration.ofDays(36_500);

    private static final System.Logger LOG = System.getLogger(CompletionHandler.class.getName());
    private static final int IDLE_MILLIS = 1_000;
    /** An interrupt does not end a wait in the poller. */
    private static final int LONGEST_LEAD_MILLIS = 20;

    private static final int READY_AT_A_TIME = 64;
    /** While completion queues are polled, channels are checked only every this many rounds. */
    private static final int ROUNDS_BETWEEN_WAITS = 16;

    private final EventLoop loop;
    private final long poller;
    private final Spinner spinner;
    private final Map<Long, Runnable> channels = new HashMap<>();
    private final long[] ready = new long[READY_AT_A_TIME];
    private final Runnable poll = this::poll;
    private int attached;
    private int rounds;
    /** The number of completion queues in which the last round found completions. */
    private int found;

    /**
     * Creates a handler and its loop, which does not run yet.
     *
     * @param name of the loop and its thread
     * @param spin the longest time to poll a completion queue after its last completion before requesting an event. The time is shorter while
     *     completions are rare
     * @throws NativeException if the system has no more descriptors
     */
    public CompletionHandler(String name, Duration spin) throws NativeException {
        poller = Poller.create();
        spinner = new Spinner(spin);
        loop = new EventLoop(name, this);
    }

    /** @param shortestNap see {@link EventLoop#EventLoop(String, IoHandler, Duration)} */
    CompletionHandler(String name, Duration spin, Duration shortestNap) throws NativeException {
        poller = Poller.create();
        spinner = new Spinner(spin);
        loop = new EventLoop(name, this, shortestNap);
    }

    /** On any thread: the loop that serves these channels and queues. */
    public EventLoop loop() {
        return loop;
    }

    /** On any thread: the native handle of the poller in which the channels are created. */
    public long poller() {
        return poller;
    }

    /** Calls {@code whenReady} whenever a native channel of {@link #poller} is ready. */
    public void watch(long channel, Runnable whenReady) {
        channels.put(channel, whenReady);
    }

    /** Stops watching a channel. */
    public void unwatch(long channel) {
        channels.remove(channel);
    }

    /** Adds an object that needs the loop's thread, which then stays until the object is {@link #detached}. */
    public void attached() {
        attached++;
    }

    /** Removes an attached object. */
    public void detached() {
        attached--;
    }

    /** Polls a completion queue until it has been empty for the length of the spin. */
    public void activate(Source source) {
        spinner.activate(source);
        loop.recheck();
    }

    /** Stops polling a completion queue. */
    public void forget(Source source) {
        spinner.forget(source);
    }

    @Override
    public int await(int millis) throws NativeException {
        if (!spinner.isActive()) {
            serveChannels(Thread.currentThread().isInterrupted() ? 0 : millis);
        } else if (++rounds % ROUNDS_BETWEEN_WAITS == 0) {
            serveChannels(0);
        }
        loop.enter();
        loop.guarded(poll);
        return found;
    }

    private void serveChannels(int millis) throws NativeException {
        int count = Poller.await(poller, millis, ready);
        loop.enter();
        for (int i = 0; i < count; i++) {
            Runnable whenReady = channels.get(ready[i]);
            if (whenReady != null) {
                loop.guarded(whenReady);
            }
        }
    }

    private void poll() {
        found = 0;
        found = spinner.turn();
    }

    @Override
    public void wakeup() {
        try {
            Poller.wake(poller);
        } catch (NativeException e) {
            LOG.log(Level.ERROR, loop + ": cannot be woken", e);
        }
    }

    @Override
    public boolean isPolling() {
        return spinner.isActive();
    }

    @Override
    public boolean isIdle() {
        return attached == 0 && !spinner.isActive();
    }

    @Override
    public int idleMillis() {
        return IDLE_MILLIS;
    }

    @Override
    public void callerLeads() {
        spinner.restart();
    }

    @Override
    public int longestLeadMillis() {
        return LONGEST_LEAD_MILLIS;
    }

    /** The channels must have been destroyed. */
    @Override
    public void close() {
        try {
            Poller.destroy(poller);
        } catch (NativeException e) {
            LOG.log(Level.ERROR, loop + ": the poller cannot be freed", e);
        }
    }

    /**
     * Decides how long completion queues are polled before the loop sleeps. A queue becomes active with its event, and stays so until all active queues
     * have been empty for the length of the spin. That length is doubled if the next completion comes so soon that the longest spin would have found it,
     * and halved if it comes later. So a loop whose completions are rare, or come from a slow peer, hardly spins.
     */
    static final class Spinner {
        private static final long SHORTEST = 1_000;

        private final long longest;
        private final LongSupplier clock;
        private final Set<Source> active = new LinkedHashSet<>();
        /**
         * A copy of the active queues, in the order of polling, since queues can become active during a turn. Cleared when a queue stops being active,
         * which ends the turn.
         */
        private final List<Source> order = new ArrayList<>();

        private long spin;
        private long deadline;
        /** When the last spin without a completion began. */
        private long idleSince;

        /** @param spin the longest spin */
        Spinner(Duration spin) {
            this(spin, System::nanoTime);
        }

        /** @param clock the time in nanoseconds */
        Spinner(Duration spin, LongSupplier clock) {
            longest = spin.toNanos();
            this.clock = clock;
            this.spin = longest;
            idleSince = clock.getAsLong();
        }

        /** Starts to poll a queue, because it may have completions. */
        void activate(Source source) {
            boolean slept = active.isEmpty();
            if (active.add(source)) {
                order.add(source);
            }
            long now = clock.getAsLong();
            if (slept) {
                spin = now - idleSince < longest ? doubled() : halved();
            }
            restart(now);
        }

        private long doubled() {
            return Math.min(longest, Math.max(SHORTEST, spin * 2));
        }

        private long halved() {
            return Math.max(Math.min(longest, SHORTEST), spin / 2);
        }

        private void restart(long now) {
            idleSince = now;
            deadline = now + spin;
        }

        /** Restarts the spin, because a thread begins to wait. */
        void restart() {
            if (isActive()) {
                restart(clock.getAsLong());
            }
        }

        /** Stops polling a queue. */
        void forget(Source source) {
            if (active.remove(source)) {
                order.clear();
            }
        }

        /** Whether a queue is active, so that the loop must not sleep. */
        boolean isActive() {
            return !active.isEmpty();
        }

        /** Polls each active queue once. When the spin is over, arms them all. Returns how many queues had completions. */
        int turn() {
            if (active.isEmpty()) {
                return 0;
            }
            if (order.size() < active.size()) {
                order.clear();
                order.addAll(active);
            }
            int found = 0;
            for (int i = 0; i < order.size(); i++) {
                if (order.get(i).poll()) {
                    found++;
                }
            }
            long now = clock.getAsLong();
            if (found > 0) {
                restart(now);
            } else if (now - deadline >= 0) {
                sleep();
            }
            return found;
        }

        /** Arms all queues and polls each once more, because a completion between the last poll and the arming causes no event. */
        private void sleep() {
            for (Source source : new ArrayList<>(active)) {
                if (active.contains(source)) {
                    source.arm();
                    if (!source.poll()) {
                        forget(source);
                    }
                }
            }
        }
    }
}
