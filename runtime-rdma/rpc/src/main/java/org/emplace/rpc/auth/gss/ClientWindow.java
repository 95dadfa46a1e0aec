// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.emplace.reactor.LogSampler;
import org.jspecify.annotations.Nullable;

/**
 * The sequence numbers of a context, and the calls that have them. A server discards a call whose number is below the highest that it has seen by the
 * size of its window or more (RFC 2203 section 5.3.3.1). So no call starts while its number could be that far above the lowest that has no reply; it is
 * held back, and calls start in their order. Safe for use by several threads.
 */
final class ClientWindow {
    private static final System.Logger LOG = System.getLogger(ClientWindow.class.getName());

    /** As many calls as wait for a credit at most. */
    private static final int MOST_HELD = 16 * 1024;

    private final Map<Place, Runnable> held = new LinkedHashMap<>();
    private final NavigableSet<Long> unanswered = new TreeSet<>();
    private final LogSampler failures = new LogSampler();
    private final long size;
    /** The first is 1, because some servers do not accept 0. */
    private long next = 1;
    /** The calls that have started, but have no number yet. */
    private int unnumbered;

    private boolean isStarting;

    /** @param size the size of the server's window, which is not trusted to be positive */
    ClientWindow(long size) {
        this.size = Math.max(1, size);
    }

    /** The place of one call. Its fields are guarded by the window. */
    static final class Place {
        private boolean isTaken;
        /** 0 before the call is encoded for the first time. */
        private long number;
    }

    /**
     * Starts a call at once, or when enough others have ended. It must {@link #leave} when it has ended, also if it throws something or is not started
     * any more.
     *
     * @return false if too many are held back already; then it is never started
     */
    boolean enter(Place place, Runnable call) {
        synchronized (this) {
            if (!held.isEmpty() || !isFree()) {
                return held.size() < MOST_HELD && held.put(place, call) == null;
            }
            occupy(place);
        }
        call.run();
        return true;
    }

    private boolean isFree() {
        long lowest = unanswered.isEmpty() ? next : unanswered.first();
        return next + unnumbered - lowest < size;
    }

    private void occupy(Place place) {
        place.isTaken = true;
        unnumbered++;
    }

    /** The next number, for a call that is sent, or sent again. Numbers are all different, and increase in the order in which calls are encoded. */
    synchronized long number(Place place) {
        if (place.isTaken) {
            forgetNumber(place);
            place.number = next;
            unanswered.add(next);
        }
        return next++;
    }

    private void forgetNumber(Place place) {
        if (place.number == 0) {
            unnumbered--;
        } else {
            unanswered.remove(place.number);
        }
    }

    /** Says that a call has ended. Starts others on this thread, one after the other, so that many which fail at once do not nest. Throws nothing. */
    void leave(Place place) {
        synchronized (this) {
            held.remove(place);
            if (place.isTaken) {
                forgetNumber(place);
                place.isTaken = false;
            }
            if (isStarting) {
                return;
            }
            isStarting = true;
        }
        for (Runnable call = nextToStart(); call != null; call = nextToStart()) {
            try {
                call.run();
            } catch (RuntimeException | Error broken) {
                failures.failure(LOG, "a call that was held back was not started", broken);
            }
        }
    }

    private synchronized @Nullable Runnable nextToStart() {
        if (held.isEmpty() || !isFree()) {
            isStarting = false;
            return null;
        }
        Iterator<Map.Entry<Place, Runnable>> calls = held.entrySet().iterator();
        Map.Entry<Place, Runnable> first = calls.next();
        calls.remove();
        occupy(first.getKey());
        return first.getValue();
    }
}
