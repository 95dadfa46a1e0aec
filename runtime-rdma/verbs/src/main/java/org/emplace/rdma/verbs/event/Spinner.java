// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides how long completion queues are polled before the loop sleeps. A queue is active from its event until it has been silent for the length of
 * the spin; that length is doubled when a completion came during the spin, and halved when none did.
 */
final class Spinner {
    private static final long SHORTEST = 1_000;

    private final long longest;
    private final Set<CompletionLoop.Source> active = new LinkedHashSet<>();
    /** Those of the present turn: what is active changes meanwhile. */
    private final List<CompletionLoop.Source> polled = new ArrayList<>();

    private final Consumer<CompletionLoop.Source> add = polled::add;
    private long spin;
    private long deadline;

    /** @param spin how long it is at most */
    Spinner(Duration spin) {
        longest = spin.toNanos();
        this.spin = longest;
    }

    /** A queue has something, or may. */
    void activate(CompletionLoop.Source source) {
        active.add(source);
        deadline = System.nanoTime() + spin;
    }

    void forget(CompletionLoop.Source source) {
        active.remove(source);
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
        boolean found = false;
        active.forEach(add);
        try {
            for (int i = 0; i < polled.size(); i++) {
                found |= active.contains(polled.get(i)) && polled.get(i).poll();
            }
        } finally {
            polled.clear();
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
                    active.remove(source);
                }
            }
        }
    }
}
