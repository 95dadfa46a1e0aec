// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides who waits in a loop's selector: the loop's own thread, or a caller that waits for its reply. A caller that reads its reply itself
 * saves two changes of thread.
 *
 * <p>The loop's thread leaves the lead to a caller that comes back soon each time. Between two calls nobody leads, and other channels wait.
 * To keep that short, the loop's thread checks every {@link #NAP_NANOS} whether the caller has come, and takes the lead again if not. A task wakes
 * the loop's thread at once. If leaving the lead does not pay, because the caller comes late or another one waits too, the loop's thread takes the
 * lead back, and keeps it for twice as many opportunities after each miss.
 */
final class Lead {
    /** A thousand wake-ups a second cost little. Other channels wait at most twice this time. */
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Several times what a caller takes from one small call to the next. */
    private static final long LONGEST_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
    /** How many times in a row the same caller has to wait before it is expected back. */
    private static final int OFFERS_IN_A_ROW = 3;
    /** A loop with more channels ready at a time has enough to do for its own thread. */
    private static final int CHANNELS_IN_A_ROUND = 8;

    /** Leaving the lead has paid if callers led at least this often. */
    private static final int TURNS_THAT_PAY = 16;

    private static final int MOST_MISSES = 10;

    private enum Holder {
        /** The loop's thread leads, or nobody if there is no thread. */
        LOOP,
        /** Nobody leads: the loop's thread naps, because a caller is expected. */
        NOBODY,
        CALLER,
        /** A caller leads, and wakes the loop's thread when it leaves. */
        CALLER_FOR_LONG
    }

    /** The condition of a caller that found the loop's thread in the lead; null once it has been true. */
    private record Offer(long thread, @Nullable BooleanSupplier done, int inARow) {}

    private final AtomicReference<Holder> holder = new AtomicReference<>(Holder.LOOP);
    private final AtomicReference<Offer> offer = new AtomicReference<>(new Offer(-1, null, 0));

    private volatile @Nullable Thread loopThread;
    /** The id of the thread that led last in the place of the loop's. Written by that. */
    private volatile long caller = -1;
    /** How often callers have led. */
    private final AtomicInteger turns = new AtomicInteger();
    /** Whether leaving the lead does not pay now. */
    private volatile boolean over;
    /** When a caller led last. Written by that. */
    private volatile long leftAt;

    /**
     * How often in a row leaving the lead did not pay, and how many opportunities to leave it will still be skipped. Used by the loop's
     * thread only.
     */
    private int misses;

    private int passedUp;

    /** The loop's thread ends while it leads: drops references to callers' conditions. */
    void end() {
        offer.set(new Offer(-1, null, 0));
        loopThread = null;
    }

    /** The loop's thread begins; it leads. */
    void begin() {
        loopThread = Thread.currentThread();
    }

    /**
     * A caller begins to lead, if nobody does.
     *
     * @param done what it waits for
     * @return whether the caller leads from here on, until {@link #leave}
     */
    boolean take(BooleanSupplier done) {
        long me = Thread.currentThread().getId();
        if (begin(me)) {
            return true;
        }
        Offer last = lastOffer();
        offer.compareAndSet(last, new Offer(me, done, last.thread == me ? last.inARow + 1 : 0));
        if (holder.get() == Holder.LOOP) {
            return false;
        }
        // Another caller leads. When it leaves, the loop's thread has to serve this one.
        over = true;
        return begin(me);
    }

    private boolean begin(long me) {
        if (!holder.compareAndSet(Holder.NOBODY, Holder.CALLER)) {
            return false;
        }
        if (System.nanoTime() - leftAt > LONGEST_GAP_NANOS) {
            over = true;
        }
        caller = me;
        turns.incrementAndGet();
        return true;
    }

    /** Whether the leading caller should leave the lead to the loop's thread, because others need the loop more. */
    boolean isTooMuch(int channelsReady) {
        boolean busy = channelsReady > CHANNELS_IN_A_ROUND;
        if (busy) {
            over = true;
        }
        return busy;
    }

    /** The caller leaves the lead. */
    void leave() {
        leftAt = System.nanoTime();
        if (holder.getAndSet(Holder.NOBODY) == Holder.CALLER_FOR_LONG || over) {
            LockSupport.unpark(loopThread);
        }
    }

    /** Whether a caller leads that is not this thread. */
    boolean isAnothers() {
        Holder now = holder.get();
        return (now == Holder.CALLER || now == Holder.CALLER_FOR_LONG)
                && caller != Thread.currentThread().getId();
    }

    /** Whether nobody leads, and not because this thread is expected to. */
    boolean isVacant() {
        return holder.get() == Holder.NOBODY && caller != Thread.currentThread().getId();
    }

    /** Whether nobody leads until this thread does. */
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

    /** On the loop's thread, which leads: whether a caller has just got what it waited for, and is likely to wait again soon. */
    boolean isWorthLeaving(int channelsReady) {
        Offer last = lastOffer();
        if (last.done == null || !last.done.getAsBoolean()) {
            return false;
        }
        boolean alone = last.inARow >= OFFERS_IN_A_ROW && channelsReady <= CHANNELS_IN_A_ROUND;
        // If this fails, the caller waits again and nobody would serve it.
        if (!offer.compareAndSet(last, new Offer(last.thread, null, last.inARow)) || !alone) {
            return false;
        }
        if (passedUp > 0) {
            passedUp--;
            return false;
        }
        return true;
    }

    /**
     * On the loop's thread: leaves the lead to callers as long as they come.
     *
     * @param wanted whether there is work for a loop that nobody leads; it was false before
     */
    void leaveToCallers(BooleanSupplier wanted) {
        over = false;
        int before = turns.get();
        leftAt = System.nanoTime();
        caller = lastOffer().thread;
        holder.set(Holder.NOBODY);
        boolean back = false;
        while (!back) {
            int seen = turns.get();
            if (!wanted.getAsBoolean()) {
                LockSupport.parkNanos(this, NAP_NANOS);
                Thread.interrupted();
            }
            if (over || turns.get() == seen || wanted.getAsBoolean()) {
                back = takeBack();
            }
        }
        misses = turns.get() - before >= TURNS_THAT_PAY ? 0 : Math.min(misses + 1, MOST_MISSES);
        passedUp = (1 << misses) - 1;
    }

    private Offer lastOffer() {
        return Objects.requireNonNull(offer.get(), "there is one from the beginning");
    }

    /** Takes the lead, and waits for it as long as a caller has it. @return false if another caller was faster */
    private boolean takeBack() {
        holder.compareAndSet(Holder.CALLER, Holder.CALLER_FOR_LONG);
        while (holder.get() == Holder.CALLER_FOR_LONG) {
            LockSupport.park(this);
            Thread.interrupted();
            over = true;
        }
        return holder.compareAndSet(Holder.NOBODY, Holder.LOOP);
    }
}
