// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides how long completion queues are polled before the loop sleeps. A queue becomes active with its event, and stays so until it has been empty
 * for the length of the spin. That length is doubled after a spin with a completion, and halved after a spin without one.
 */
final class Spinner {
    private static final long SHORTEST = 1_000;

    private final long longest;
    private final Set<CompletionLoop.Source> active = new LinkedHashSet<>();
    /**
     * A copy of the active queues, in the order of polling, since queues can become active during a turn. Cleared when a queue stops being active,
     * which ends the turn.
     */
    private final List<CompletionLoop.Source> order = new ArrayList<>();

    private long spin;
    private long deadline;

    /** @param spin the longest spin */
    Spinner(Duration spin) {
        longest = spin.toNanos();
        this.spin = longest;
    }

    /** Starts to poll a queue, because it may have completions. */
    void activate(CompletionLoop.Source source) {
        if (active.add(source)) {
            order.add(source);
        }
        deadline = System.nanoTime() + spin;
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

    /** Polls each active queue once. When the spin is over, arms them all. */
    void turn() {
        if (active.isEmpty()) {
            return;
        }
        if (order.size() < active.size()) {
            order.clear();
            order.addAll(active);
        }
        boolean found = false;
        for (int i = 0; i < order.size(); i++) {
            found |= order.get(i).poll();
        }
        long now = System.nanoTime();
        if (found) {
            spin = Math.min(longest, Math.max(SHORTEST, spin * 2));
            deadline = now + spin;
        } else if (now - deadline >= 0) {
            spin = Math.max(Math.min(longest, SHORTEST), spin / 2);
            sleep();
        }
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
