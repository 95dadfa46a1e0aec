// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * When a name was given to a file, and when it may have been taken from it. Whoever looks in between finds a file. Safe for use by several
 * threads.
 */
final class NameHistory {
    /** A client that is none of them. */
    private static final Object NOBODY = new Object();

    private final LongSupplier clock;
    private final List<Event> given = new ArrayList<>();
    private final List<Event> losses = new ArrayList<>();
    private final List<Event> missing = new ArrayList<>();

    NameHistory(LongSupplier clock) {
        this.clock = clock;
    }

    private record Event(Object client, long start, long end, String what) {
        boolean excuses(Event missed, Event gift) {
            return !client.equals(missed.client) && end > gift.start && start < missed.end;
        }
    }

    /** An operation that began at this time, and has just ended, has made sure that the name exists. */
    synchronized void given(long start) {
        given.add(new Event(NOBODY, start, clock.getAsLong(), "given"));
    }

    /** An operation that has just ended may have removed the name. */
    synchronized void mayBeLost(long start) {
        losses.add(new Event(NOBODY, start, clock.getAsLong(), "perhaps lost"));
    }

    /** During an operation of this client, which has just ended, the others may have found nothing. */
    synchronized void mayBeFreeForOthers(Object client, long start) {
        losses.add(new Event(client, start, clock.getAsLong(), "free"));
    }

    /** A client has just been told that there is nothing. */
    synchronized void missing(Object client, long start, String what) {
        missing.add(new Event(client, start, clock.getAsLong(), what));
    }

    synchronized List<String> violations() {
        return missing.stream()
                .filter(missed -> given.stream()
                        .anyMatch(gift -> gift.end < missed.start
                                && losses.stream().noneMatch(loss -> loss.excuses(missed, gift))))
                .map(missed -> "the name was missing: " + missed)
                .toList();
    }
}
