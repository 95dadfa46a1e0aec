// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The output, in the order of processing, and its totals. A packet that had to wait for a missing one keeps its time, so a later entry may have an earlier time.
 * An entry is written once it and all before it are settled.
 */
final class Timeline {
    private static final double NANOSECONDS = 1e9;

    /** An entry that waits for a reply delays at most this number of entries. */
    private static final int MOST_WAITING = 10_000;

    private final Consumer<String> out;
    private final boolean isForViolationsOnly;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private long begin = Long.MIN_VALUE;
    private long now;
    private final Map<Total, Long> totals = new EnumMap<>(Total.class);
    private long violations;

    /** What is counted. */
    enum Total {
        CONNECTIONS("connections"),
        CALLS("calls"),
        REPLIES("replies"),
        OTHERS("other messages");

        private final String text;

        Total(String text) {
            this.text = text;
        }
    }

    /** @param isForViolationsOnly whether to leave out entries without violations */
    Timeline(Consumer<String> out, boolean isForViolationsOnly) {
        this.out = out;
        this.isForViolationsOnly = isForViolationsOnly;
    }

    /** The output for one message or other event on a connection. It grows until it is settled. */
    static final class Entry {
        private final String place;
        private final List<String> lines = new ArrayList<>();
        private final List<String> remarks = new ArrayList<>();
        private String heading = "";
        private int violations;
        private boolean isSettled;
        private Runnable giveUp = () -> {};

        private Entry(String place) {
            this.place = place;
        }

        void heading(String format, Object... arguments) {
            heading = text(format, arguments);
        }

        void line(String format, Object... arguments) {
            lines.add("    " + text(format, arguments));
        }

        /** Adds a line below the last one. */
        void detail(String format, Object... arguments) {
            lines.add("        " + text(format, arguments));
        }

        void note(String format, Object... arguments) {
            remarks.add("    note: " + text(format, arguments));
        }

        void violation(Rule rule, Object... arguments) {
            violations++;
            remarks.add("    VIOLATION: " + rule.broken(arguments));
        }

        /** @param giveUp completes and settles the entry if it cannot wait any longer */
        void await(Runnable giveUp) {
            this.giveUp = giveUp;
        }

        void settle() {
            isSettled = true;
        }

        boolean isSettled() {
            return isSettled;
        }
    }

    /** A formatted text, the same in every locale. */
    @SuppressWarnings("AnnotateFormatMethod") // The annotation is in a library that nothing else here needs.
    static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    static String bytes(long number) {
        return count(number, "byte");
    }

    static String count(long number, String thing) {
        return text("%,d %s%s", number, thing, number == 1 ? "" : "s");
    }

    /** Sets the time of the entries that follow. The first time becomes zero. */
    void at(long nanoseconds) {
        now = nanoseconds;
        if (begin == Long.MIN_VALUE) {
            begin = nanoseconds;
        }
    }

    /** Adds an entry for an event from one end to the other. */
    Entry add(String from, String to) {
        Entry entry = new Entry(text("%.6f  %s -> %s", (now - begin) / NANOSECONDS, from, to));
        waiting.add(entry);
        return entry;
    }

    void count(Total total) {
        totals.merge(total, 1L, Long::sum);
    }

    /** Writes all entries that are ready. */
    void write() {
        while (!waiting.isEmpty() && (waiting.element().isSettled || waiting.size() > MOST_WAITING)) {
            Entry entry = waiting.remove();
            entry.giveUp.run();
            violations += entry.violations;
            if (entry.violations > 0 || !isForViolationsOnly) {
                out.accept(entry.place + "  " + entry.heading);
                entry.lines.forEach(out);
                entry.remarks.forEach(out);
            }
        }
    }

    /** Writes the remaining entries and the totals. */
    void end() {
        write();
        String counted = Stream.of(Total.values())
                .map(total -> total.text + ": " + totals.getOrDefault(total, 0L))
                .collect(Collectors.joining(", "));
        out.accept(counted + ", violations: " + violations);
    }

    long violations() {
        return violations;
    }
}
