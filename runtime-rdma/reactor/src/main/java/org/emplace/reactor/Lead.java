// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread does a loop's work: the loop's own, or a caller that waits for its reply. A caller that takes its reply itself saves two
 * thread switches. At most one thread leads at a time.
 *
 * <p>The loop's thread leaves the lead to a caller that returns soon after each call. Between two of its calls nobody leads, and other channels
 * wait. To keep that short, the loop's thread naps, checks after each nap whether the caller has returned, and takes the lead if not. A task wakes the
 * loop's thread at once. If leaving the lead does not pay, because the caller returns late or another caller waits too, the loop's thread takes the
 * lead back. After each such miss it keeps the lead for twice as many opportunities.
 *
 * <p>How soon a caller must return depends on how long its calls take: other channels need not be served faster than its own.
 */
final class Lead {
    /** A thousand wake-ups a second cost little. */
    static final Duration SHORTEST_NAP = Duration.ofMillis(1);
    /** Other channels wait at most twice this time. */
    private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** A nap lasts for several calls, so that it costs little beside them. */
    private static final int CALLS_IN_A_NAP = 8;
    /** Several times the usual interval between two small calls of a caller. A caller whose calls take longer may stay away for longer. */
    private static final long GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
    /** After this many waits in a row, the same caller is expected to return. */
    private static final int OFFERS_IN_A_ROW = 3;
    /** If more channels are ready at a time, the loop has enough work for its own thread. */
    private static final int CHANNELS_IN_A_ROUND = 8;

    /** Leaving the lead pays if callers lead at least this often: each time saves two thread switches, and taking the lead back costs a few. */
    private static final int TURNS_THAT_PAY = 4;

    private static final int MOST_MISSES = 10;

    private enum Holder {
        /** The loop's thread leads, or nobody if it has no thread. */
        LOOP,
        /** Nobody leads. A caller is expected, and the loop's thread checks for it at intervals. */
        NOBODY,
        CALLER,
        /** A caller leads, and wakes the loop's thread when it leaves. */
        CALLER_FOR_LONG
    }

    /** The condition of a caller that found the loop's thread in the lead, and when it did; null once it has been true. */
    private record Offer(long thread, @Nullable BooleanSupplier done, int inARow, long since) {}

    private final AtomicReference<Holder> holder = new AtomicReference<>(Holder.LOOP);
    private final AtomicReference<Offer> offer = new AtomicReference<>(new Offer(-1, null, 0, 0));

    private volatile @Nullable Thread loopThread;
    /** The id of the thread that last led in place of the loop's thread. Written by that thread. */
    private volatile long caller = -1;
    /** How often callers have led. */
    private final AtomicInteger turns = new AtomicInteger();
    /** Whether leaving the lead no longer pays. */
    private volatile boolean over;
    /** When a caller last took the lead. Used only by the leading caller. */
    private long tookAt;

    /** When the lead was last left. Written by the thread that left it, as is the next field. */
    private volatile long leftAt;
    /** For how long a caller last led, or last waited while the loop's thread led. */
    private volatile long led;
    /** Whether the caller returned late. Once is no sign: the system may have run another thread in its place. */
    private boolean wasLate;

    /**
     * How often in a row leaving the lead did not pay, and how many opportunities to leave it are still to be skipped. Used only by the loop's
     * thread.
     */
    private int misses;

    private int passedUp;

    private final long shortestNap;

    /**
     * Creates the lead of a loop without a thread.
     *
     * @param shortestNap the shortest interval at which the loop's thread checks whether a caller has returned
     */
    Lead(Duration shortestNap) {
        this.shortestNap = shortestNap.toNanos();
    }

    /** Called by the loop's thread when it stops: drops references to callers' conditions. */
    void threadStopped() {
        offer.set(new Offer(-1, null, 0, 0));
        loopThread = null;
    }

    /** Called by the loop's thread when it starts: takes the lead. */
    void threadStarted() {
        loopThread = Thread.currentThread();
    }

    /**
     * Lets a caller lead, if nobody does.
     *
     * @param done the condition for which the caller waits
     * @return whether the caller leads, until {@link #stopLeading}
     */
    boolean tryLead(BooleanSupplier done) {
        long me = Thread.currentThread().getId();
        if (tryLead(me)) {
            return true;
        }
        Offer last;
        do {
            last = lastOffer();
        } while (!offer.compareAndSet(
                last, new Offer(me, done, last.thread == me ? last.inARow + 1 : 0, System.nanoTime())));
        if (holder.get() == Holder.LOOP) {
            return false;
        }
        // Another caller leads. When it leaves, the loop's thread must serve this one.
        over = true;
        return tryLead(me);
    }

    private boolean tryLead(long me) {
        if (!holder.compareAndSet(Holder.NOBODY, Holder.CALLER)) {
            return false;
        }
        tookAt = System.nanoTime();
        boolean late = tookAt - leftAt > Math.max(GAP_NANOS, led);
        if (late && wasLate) {
            over = true;
        }
        wasLate = late;
        caller = me;
        turns.incrementAndGet();
        return true;
    }

    /** Whether the leading caller should return the lead to the loop's thread, because the loop has more to do than serve this caller. */
    boolean isTooMuch(int channelsReady) {
        boolean busy = channelsReady > CHANNELS_IN_A_ROUND;
        if (busy) {
            over = true;
        }
        return busy;
    }

    /** Whether the leading caller has led for a time. */
    boolean hasLedFor(int millis) {
        return System.nanoTime() - tookAt >= TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /**
     * Called by the leading caller: leaves the lead.
     *
     * @param toLoop whether the loop's thread must take it at once, because the caller still waits
     */
    void stopLeading(boolean toLoop) {
        long now = System.nanoTime();
        led = now - tookAt;
        leftAt = now;
        if (toLoop) {
            over = true;
        }
        if (holder.getAndSet(Holder.NOBODY) == Holder.CALLER_FOR_LONG || over) {
            LockSupport.unpark(loopThread);
        }
    }

    /** Whether another caller leads. */
    boolean isAnothers() {
        Holder now = holder.get();
        return (now == Holder.CALLER || now == Holder.CALLER_FOR_LONG)
                && caller != Thread.currentThread().getId();
    }

    /** Whether nobody leads, and the lead is not left to this thread. */
    boolean isVacant() {
        return holder.get() == Holder.NOBODY && caller != Thread.currentThread().getId();
    }

    /** Whether nobody leads and the lead is left to this thread. */
    boolean isReserved() {
        return holder.get() == Holder.NOBODY && caller == Thread.currentThread().getId();
    }

    /** Wakes the loop's thread if nobody leads. @return whether nobody led */
    boolean wakeIfVacant() {
        if (holder.get() != Holder.NOBODY) {
            return false;
        }
        LockSupport.unpark(loopThread);
        return true;
    }

    /** Called by the loop's thread while it leads: whether a caller's condition has just become true, and the caller is likely to wait again soon. */
    boolean isWorthLeaving(int channelsReady) {
        Offer last = lastOffer();
        if (last.done == null || !last.done.getAsBoolean()) {
            return false;
        }
        boolean alone = last.inARow >= OFFERS_IN_A_ROW && channelsReady <= CHANNELS_IN_A_ROUND;
        // If this fails, the caller waits again, and nobody would serve it.
        if (!offer.compareAndSet(last, new Offer(last.thread, null, last.inARow, last.since)) || !alone) {
            return false;
        }
        if (passedUp > 0) {
            passedUp--;
            return false;
        }
        return true;
    }

    /**
     * Called by the loop's thread: leaves the lead to callers as long as they return.
     *
     * @param wanted whether there is work for a loop that nobody leads. Whoever makes this true, or leaves the lead while it is true, calls
     *     {@link #wakeIfVacant}
     */
    void leaveToCallers(BooleanSupplier wanted) {
        over = false;
        int before = turns.get();
        Offer last = lastOffer();
        caller = last.thread;
        leftAt = System.nanoTime();
        led = leftAt - last.since;
        holder.set(Holder.NOBODY);
        // A caller that came meanwhile has found this thread in the lead, and blocks.
        boolean back = lastOffer().done != null && leadAgain();
        while (!back) {
            int seen = turns.get();
            if (!isLeftUndone(wanted)) {
                LockSupport.parkNanos(this, Math.max(shortestNap, Math.min(LONGEST_NAP_NANOS, led * CALLS_IN_A_NAP)));
                Thread.interrupted();
            }
            if (over || turns.get() == seen || isLeftUndone(wanted)) {
                back = leadAgain();
            }
        }
        misses = turns.get() - before >= TURNS_THAT_PAY ? 0 : Math.min(misses + 1, MOST_MISSES);
        passedUp = (1 << misses) - 1;
    }

    /** Whether there is work and nobody leads. A caller that leads does the work, and checks again after it has left the lead. */
    private boolean isLeftUndone(BooleanSupplier wanted) {
        return holder.get() == Holder.NOBODY && wanted.getAsBoolean();
    }

    private Offer lastOffer() {
        return Objects.requireNonNull(offer.get(), "there is one from the beginning");
    }

    /** Takes the lead, after waiting for a caller that has it. @return false if another caller was faster */
    private boolean leadAgain() {
        holder.compareAndSet(Holder.CALLER, Holder.CALLER_FOR_LONG);
        while (holder.get() == Holder.CALLER_FOR_LONG) {
            LockSupport.park(this);
            Thread.interrupted();
            over = true;
        }
        return holder.compareAndSet(Holder.NOBODY, Holder.LOOP);
    }
}
