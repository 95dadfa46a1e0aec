// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides how long completion queues are polled before the loop sleeps. A queue is active from its event until it has been silent for the length of
 * the spin; that length is doubled when a completion came during the spin, and halved when none did.
 */
final class Spinner {
    private static final long SHORTEST = 1_000;

    private final long longest;
    private final Set<CompletionLoop.Source> active = new LinkedHashSet<>();
    /**
     * The active queues again, to be polled in order while more become active. Emptied when one of them no longer is, which ends the turn.
     */
    private final List<CompletionLoop.Source> order = new ArrayList<>();

    private long spin;
    private long deadline;

    /** @param spin how long it is at most */
    Spinner(Duration spin) {
        longest = spin.toNanos();
        this.spin = longest;
    }

    /** Polls a queue from now on, because it may have something. */
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

    /** Whether the loop must not sleep. */
    boolean isActive() {
        return !active.isEmpty();
    }

    /** Polls each active queue once, and arms all of them after a silence. */
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

    /** A completion that came between the last poll and the arming causes no event. So each queue is polled once more. */
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
