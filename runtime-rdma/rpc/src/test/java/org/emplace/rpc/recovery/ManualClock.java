// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.emplace.rpc.transport.Timekeeper;
import org.jspecify.annotations.Nullable;

/** A clock that the test turns. Tasks run on the test's thread when their time has come. */
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

    /** Lets time go by, and runs what falls due, in order. */
    void pass(Duration time) {
        long end = now + time.toNanos();
        for (Task next = nextDue(end); next != null; next = nextDue(end)) {
            tasks.remove(next);
            reach(next.at);
            next.work.run();
        }
        reach(end);
    }

    /** A task may have let time go by itself. */
    private void reach(long time) {
        now = time - now > 0 ? time : now;
    }

    /** Runs what is due now. */
    void passNothing() {
        pass(Duration.ZERO);
    }

    /** Tasks that have not run. */
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
