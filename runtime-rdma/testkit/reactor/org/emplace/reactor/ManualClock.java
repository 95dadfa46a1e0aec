// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A clock that the test advances. Tasks run on the test's thread when they are due. */
public final class ManualClock implements Timekeeper {
    private final List<Task> tasks = new ArrayList<>();
    /** Close to the overflow of the clock, where it may be. */
    private long now = Long.MAX_VALUE - 1_000;

    private int started;

    private record Task(long at, Runnable work) {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Timer after(Duration delay, Runnable work) {
        Task task = new Task(now + delay.toNanos(), work);
        tasks.add(task);
        started++;
        return () -> tasks.remove(task);
    }

    /** Advances the clock, and runs the tasks that become due, in order. */
    public void pass(Duration time) {
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
    public void passNothing() {
        pass(Duration.ZERO);
    }

    /** The number of tasks that have not run. */
    public int scheduled() {
        return tasks.size();
    }

    /** The number of tasks so far, including those that have run or were cancelled. */
    public int started() {
        return started;
    }

    private @Nullable Task nextDue(long end) {
        return tasks.stream()
                .filter(task -> task.at - end <= 0)
                .min(Comparator.comparingLong(task -> task.at - now))
                .orElse(null);
    }
}
