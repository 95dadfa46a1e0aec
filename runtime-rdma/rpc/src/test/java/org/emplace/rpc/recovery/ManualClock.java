// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.emplace.rpc.transport.Timekeeper;
import org.jspecify.annotations.Nullable;

/** A clock that the test advances. Tasks run on the test's thread when they are due. */
final class ManualClock implements Timekeeper {
    private final List<Task> tasks = new ArrayList<>();
    private long now = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos();

    private record Task(long at, Runnable work) {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Timer after(Duration delay, Runnable work) {
        Task task = new Task(now + delay.toNanos(), work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Advances the clock, and runs the tasks that become due, in order. */
    void pass(Duration time) {
        long end = now + time.toNanos();
        for (Task next = nextDue(end); next != null; next = nextDue(end)) {
            tasks.remove(next);
            reach(next.at);
            next.work.run();
        }
        reach(end);
    }

    /** A task may have advanced the clock itself. */
    private void reach(long time) {
        now = time - now > 0 ? time : now;
    }

    /** Runs the tasks that are due now. */
    void passNothing() {
        pass(Duration.ZERO);
    }

    /** The number of tasks that have not run. */
    int scheduled() {
        return tasks.size();
    }

    private @Nullable Task nextDue(long end) {
        return tasks.stream()
                .filter(task -> task.at - end <= 0)
                .min(Comparator.comparingLong(task -> task.at - now))
                .orElse(null);
    }
}
