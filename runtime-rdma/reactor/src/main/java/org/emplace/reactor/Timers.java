// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an event loop has to do later, in the order in which it is due. Used on the loop only, timers too. */
public final class Timers {

    /** An action for later. */
    public final class Timer {
        private final long deadline;
        private @Nullable Runnable action;

        private Timer(long deadline, Runnable action) {
            this.deadline = deadline;
            this.action = action;
        }

        /** Forgets the action; no effect if it has run. */
        public void cancel() {
            if (action != null) {
                action = null;
                cancelled++;
                removeCancelled();
            }
        }

        private boolean isDue() {
            return deadline - System.nanoTime() <= 0;
        }

        private void fire() {
            Runnable due = action;
            action = null;
            if (due != null) {
                due.run();
            }
        }
    }

    private final PriorityQueue<Timer> waiting = new PriorityQueue<>((a, b) -> Long.signum(a.deadline - b.deadline));
    /** How many of those waiting have been cancelled. */
    private int cancelled;

    /** None waiting. */
    public Timers() {}

    /** Has the first {@link #fire} after the delay run an action, unless it is cancelled. */
    public Timer schedule(Duration delay, Runnable action) {
        Timer timer = new Timer(System.nanoTime() + delay.toNanos(), action);
        waiting.add(timer);
        return timer;
    }

    /** Whether none waits that has not been cancelled. */
    public boolean isEmpty() {
        return waiting.size() == cancelled;
    }

    /** Whether none is due before this one: a loop that sleeps until the next one sleeps too long, if it does not know this one yet. */
    public boolean isNext(Timer timer) {
        return waiting.peek() == timer;
    }

    /**
     * How long the loop may sleep.
     *
     * @return milliseconds until a timer is due, rounded up, but {@code longest} at most; 0 if one is due now
     */
    public int millisToNext(int longest) {
        Timer next = waiting.peek();
        if (next == null) {
            return longest;
        }
        long nanos = next.deadline - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(longest, nanos / 1_000_000 + 1);
    }

    /** Has {@code runner} run the action of each timer that is due. */
    public void fire(Consumer<Runnable> runner) {
        for (Timer next = waiting.peek(); next != null && next.isDue(); next = waiting.peek()) {
            waiting.remove();
            if (next.action == null) {
                cancelled--;
            } else {
                runner.accept(next::fire);
            }
        }
    }

    /** Removing one takes a search: those cancelled leave together, once they are more than half of all. */
    private void removeCancelled() {
        if (cancelled > waiting.size() / 2) {
            waiting.removeIf(timer -> timer.action == null);
            cancelled = 0;
        }
    }

    /** How many are held, cancelled ones too. */
    int size() {
        return waiting.size();
    }
}
