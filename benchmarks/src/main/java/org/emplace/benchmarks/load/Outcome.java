// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of a run, as the client saw it.
 *
 * @param nanos from the first call to the end of the last
 * @param latency how long the calls took
 * @param usage what the client's process used meanwhile
 */
public record Outcome(long nanos, Latency latency, Usage usage) {
    private static final Pattern LINE = Pattern.compile("nanos=(\\d+) (median=.*) (allocated=.*)");

    /** As {@link #parse} reads it. */
    public String toLine() {
        return "nanos=" + nanos + " " + latency.toLine() + " " + usage.toLine();
    }

    /** Reads what {@link #toLine} gives. */
    public static Outcome parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not an outcome: " + line);
        }
        return new Outcome(
                Long.parseLong(matcher.group(1)), Latency.parse(matcher.group(2)), Usage.parse(matcher.group(3)));
    }
}
