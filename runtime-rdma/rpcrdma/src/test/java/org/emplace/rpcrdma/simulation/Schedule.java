// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.emplace.reactor.Timekeeper;

/**
 * The future events of a simulated world, in the order of its clock. A seed determines how long each step takes, and so
 * the order of all events. Used by one thread, which runs the events one by one and advances the clock.
 */
public final class Schedule implements Timekeeper {
    /** Far more events than any world needs: a world with more does not terminate. */
    private static final int MOST_EVENTS = 1_000_000;

    private static final int LATEST_NOTES = 400;

    private final RandomGenerator random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final Deque<String> notes = new ArrayDeque<>();
    private final List<String> violations = new ArrayList<>();
    private long now;
    private int taken;
    private int digest;

    private record Event(long at, long order, Runnable task) {}

    /** A schedule without events. */
    public Schedule(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The source of every decision. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns true with this probability in percent. */
    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return at(now + Math.max(0, delay.toNanos()), task);
    }

    /** Schedules an event for a time of the clock. */
    Timer at(long time, Runnable task) {
        Event event = new Event(time, random.nextLong(), task);
        events.add(event);
        return () -> events.remove(event);
    }

    /** Schedules an event after a random delay: mostly microseconds, a hundred milliseconds at most. */
    public void soon(Runnable task) {
        at(now + delay(), task);
    }

    /** How long the next step takes, in nanoseconds. */
    long delay() {
        int kind = random.nextInt(100);
        long most = kind < 60 ? 10_000 : kind < 95 ? 1_000_000 : 100_000_000;
        return random.nextLong(most);
    }

    /** Runs each task on a thread of its own. */
    public Executor threads() {
        return this::soon;
    }

    /** As {@link #threads}, to be closed. */
    public ExecutorService executor() {
        return new Threads();
    }

    /** Runs events until there are none, or until this time. */
    public void run(Duration time) {
        long end = now + time.toNanos();
        while (!events.isEmpty() && events.peek().at() <= end && violations.isEmpty()) {
            Event next = events.remove();
            now = next.at();
            next.task().run();
            if (++taken > MOST_EVENTS) {
                violated("the world does not terminate");
            }
        }
        now = Math.max(now, end);
    }

    /** Whether any event is due within this time. */
    public boolean isBusyFor(Duration time) {
        return !events.isEmpty() && events.peek().at() < now + time.toNanos();
    }

    /** Records an event for the log. */
    public void note(String what) {
        String note = "%12.6f ms  %s".formatted(now / 1e6, what);
        digest = 31 * digest + note.hashCode();
        notes.add(note);
        if (notes.size() > LATEST_NOTES) {
            notes.remove();
        }
    }

    /** Reports something that must never happen. */
    public void violated(String rule) {
        note("VIOLATED: " + rule);
        violations.add(rule);
    }

    /** The violations. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** The latest records, one line each. */
    public String notes() {
        return String.join("\n", notes);
    }

    /** A hash of all events: it differs between worlds with different events. */
    public int digest() {
        return digest;
    }

    private final class Threads extends AbstractExecutorService {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private boolean closed;

        @Override
        public void execute(Runnable task) {
            if (closed) {
                throw new RejectedExecutionException();
            }
            waiting.add(task);
            soon(() -> {
                if (waiting.remove(task)) {
                    task.run();
                }
            });
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            List<Runnable> never = List.copyOf(waiting);
            waiting.clear();
            return never;
        }

        @Override
        public void shutdown() {
            closed = true;
        }

        @Override
        public boolean isShutdown() {
            return closed;
        }

        @Override
        public boolean isTerminated() {
            return closed && waiting.isEmpty();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isTerminated();
        }
    }
}
