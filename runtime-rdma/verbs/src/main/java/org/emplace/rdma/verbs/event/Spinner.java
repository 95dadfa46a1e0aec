// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Decides how long completion queues are polled before the loop sleeps. A queue becomes active with its event, and stays so until all active queues
 * have been empty for the length of the spin. That length is doubled if the next completion comes so soon that the longest spin would have found it,
 * and halved if it comes later. So a loop whose completions are rare, or come from a slow peer, hardly spins.
 */
final class Spinner {
    private static final long SHORTEST = 1_000;

    private final long longest;
    private final LongSupplier clock;
    private final Set<CompletionLoop.Source> active = new LinkedHashSet<>();
    /**
     * A copy of the active queues, in the order of polling, since queues can become active during a turn. Cleared when a queue stops being active,
     * which ends the turn.
     */
    private final List<CompletionLoop.Source> order = new ArrayList<>();

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
    void activate(CompletionLoop.Source source) {
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
    void forget(CompletionLoop.Source source) {
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
        for (CompletionLoop.Source source : new ArrayList<>(active)) {
            if (active.contains(source)) {
                source.arm();
                if (!source.poll()) {
                    forget(source);
                }
            }
        }
    }
}
