// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Consumer;

/** The output, in order of time. An entry is written once those before it are settled. */
final class Timeline {
    private static final double NANOSECONDS = 1e9;

    /** An entry that waits for a reply holds up no more than these. */
    private static final int MOST_WAITING = 100_000;

    private final Consumer<String> out;
    private final boolean isForViolationsOnly;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private long begin = Long.MIN_VALUE;
    private long violations;

    /** @param isForViolationsOnly whether to leave out entries without violations */
    Timeline(Consumer<String> out, boolean isForViolationsOnly) {
        this.out = out;
        this.isForViolationsOnly = isForViolationsOnly;
    }

    /** Sets the time; the first is zero. */
    void at(long nanoseconds) {
        if (begin == Long.MIN_VALUE) {
            begin = nanoseconds;
        }
    }

    /** Adds an entry for an event from one end to the other. */
    Entry add(long nanoseconds, String from, String to) {
        Entry entry =
                new Entry(String.format(Locale.ROOT, "%.6f  %s -> %s", (nanoseconds - begin) / NANOSECONDS, from, to));
        waiting.add(entry);
        return entry;
    }

    /** Writes all entries that are ready. */
    void write() {
        while (!waiting.isEmpty() && (waiting.element().isSettled() || waiting.size() > MOST_WAITING)) {
            Entry entry = waiting.remove();
            violations += entry.violations();
            if (entry.violations() > 0 || !isForViolationsOnly) {
                entry.text().forEach(out);
            }
        }
    }

    long violations() {
        return violations;
    }
}
