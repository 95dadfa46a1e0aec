// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of an event loop, in a hierarchical timer wheel with ticks of 1 ms. Scheduling or cancelling a timer takes the same short time however
 * many timers wait. A timer never fires before its delay is over, and the wheel adds less than 1 ms to the delay. Used on the loop only, as are
 * its timers.
 *
 * <p>A level has 64 slots. A slot of the lowest level is one tick, and a slot of each other level is as long as the level below. A timer waits on the
 * highest level on which its tick's slot differs from the current one, and moves down when that slot's time has come.
 */
public final class Timers {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SLOT_BITS = 6;
    private static final int SLOTS = 1 << SLOT_BITS;
    /** Enough levels for two years. */
    private static final int LEVELS = 6;

    private static final long LONGEST_TICKS = (1L << (SLOT_BITS * LEVELS)) - 1;
    private static final long NONE = Long.MAX_VALUE;

    /** A scheduled action. */
    public final class Timer {
        private final long deadline;
        private @Nullable Runnable action;
        /** The timer's slot, counted over all levels, and its neighbors in the slot's list. */
        private int slot;

        private @Nullable Timer previous;
        private @Nullable Timer next;

        private Timer(long deadline, Runnable action) {
            this.deadline = deadline;
            this.action = action;
        }

        /** Drops the action. No effect if it has run. */
        public void cancel() {
            if (action != null) {
                action = null;
                if (slot >= 0) {
                    unlink(this);
                }
            }
        }
    }

    private final long origin = System.nanoTime();
    private final @Nullable Timer[] firsts = new Timer[LEVELS * SLOTS];
    /** For each level, a bit for each slot that has timers. */
    private final long[] occupied = new long[LEVELS];

    private final List<Timer> due = new ArrayList<>();
    /** The tick up to which timers have been removed from the wheel. */
    private long present;
    /** The tick until which the loop sleeps, by its last {@link #millisToNext}. */
    private long sleepsUntil = NONE;

    private int size;

    /** Creates a wheel without timers. */
    Timers() {}

    /** Schedules an action. The first {@link #fire} after the delay runs it, unless the timer is cancelled. */
    Timer schedule(Duration delay, Runnable action) {
        Timer timer = new Timer(System.nanoTime() - origin + delay.toNanos(), action);
        link(timer, delay.isNegative() || delay.isZero() ? present : tickOf(timer));
        return timer;
    }

    /** Whether no timer waits that has not been cancelled. */
    boolean isEmpty() {
        return size == 0;
    }

    /**
     * Whether this timer is due before all others and before the time of the last {@link #millisToNext}. If so, a loop that sleeps until then would
     * sleep too long and must be told of this timer.
     */
    boolean isNext(Timer timer) {
        return timer.slot == nextSlot() && timer.slot >= 0 && tickOf(timer) < sleepsUntil;
    }

    /**
     * How long the loop may sleep.
     *
     * @return milliseconds until {@link #fire} must be called, rounded up, at most {@code longest}; 0 if it must be called now
     */
    int millisToNext(int longest) {
        long now = System.nanoTime() - origin;
        int slot = nextSlot();
        long nanos = slot < 0 ? 0 : Math.max(0, startOf(slot) * TICK_NANOS - now);
        int millis = slot < 0 ? longest : (int) Math.min(longest, (nanos + TICK_NANOS - 1) / TICK_NANOS);
        sleepsUntil = now / TICK_NANOS + millis;
        return millis;
    }

    /** Records that the loop sleeps without a time limit, so that every new timer is the next. */
    void sleepsForGood() {
        sleepsUntil = NONE;
    }

    /** Passes the action of each timer that is due to {@code runner}, in the order in which they are due. */
    void fire(Consumer<Runnable> runner) {
        takeDue((System.nanoTime() - origin) / TICK_NANOS);
        while (!due.isEmpty()) {
            if (due.size() > 1) {
                due.sort((a, b) -> Long.signum(a.deadline - b.deadline));
            }
            for (int i = 0; i < due.size(); i++) {
                Timer timer = due.get(i);
                Runnable action = timer.action;
                timer.action = null;
                if (action != null) {
                    runner.accept(action);
                }
            }
            due.clear();
            takeDue((System.nanoTime() - origin) / TICK_NANOS);
        }
    }

    /** Removes the timers that are due at a tick. */
    private void takeDue(long now) {
        for (int slot = nextSlot(); slot >= 0 && startOf(slot) <= now; slot = nextSlot()) {
            present = Math.max(present, startOf(slot));
            for (Timer timer = firsts[slot]; timer != null; timer = firsts[slot]) {
                unlink(timer);
                if (slot < SLOTS) {
                    due.add(timer);
                } else {
                    link(timer, tickOf(timer));
                }
            }
        }
        present = Math.max(present, now);
    }

    /** The first tick after the deadline. */
    private static long tickOf(Timer timer) {
        return timer.deadline / TICK_NANOS + 1;
    }

    private void link(Timer timer, long tick) {
        long when = Math.min(Math.max(tick, present), present | LONGEST_TICKS);
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros((when ^ present) | 1)) / SLOT_BITS;
        int index = (int) (when >>> (SLOT_BITS * level)) & (SLOTS - 1);
        int slot = level * SLOTS + index;
        timer.slot = slot;
        timer.next = firsts[slot];
        if (timer.next != null) {
            timer.next.previous = timer;
        }
        firsts[slot] = timer;
        occupied[level] |= 1L << index;
        size++;
    }

    private void unlink(Timer timer) {
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        }
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        } else {
            firsts[timer.slot] = timer.next;
            if (timer.next == null) {
                occupied[timer.slot / SLOTS] &= ~(1L << (timer.slot % SLOTS));
            }
        }
        timer.previous = null;
        timer.next = null;
        timer.slot = -1;
        size--;
    }

    /** The slot whose time comes first: timers on a level are due before those on higher levels. -1 if all slots are empty. */
    private int nextSlot() {
        for (int level = 0; level < LEVELS; level++) {
            if (occupied[level] != 0) {
                return level * SLOTS + Long.numberOfTrailingZeros(occupied[level]);
            }
        }
        return -1;
    }

    /** The tick at which a slot's time comes. Slots before the current one are empty, so no slot belongs to a later round. */
    private long startOf(int slot) {
        int shift = SLOT_BITS * (slot / SLOTS);
        long round = present >>> (shift + SLOT_BITS) << (shift + SLOT_BITS);
        return round + ((long) (slot % SLOTS) << shift);
    }

    /** The number of timers that wait. */
    int size() {
        return size;
    }
}
