// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of a run, as measured by the client.
 *
 * @param nanos nanoseconds from the first call to the end of the last
 * @param latency durations of the calls
 * @param usage resources that the client's process used during the run
 */
public record Outcome(long nanos, Latency latency, Usage usage) {
    private static final Pattern LINE = Pattern.compile("nanos=(\\d+) (median=.*) (allocated=.*)");

    /** The line that {@link #parse} reads. */
    public String toLine() {
        return "nanos=" + nanos + " " + latency.toLine() + " " + usage.toLine();
    }

    /** Reads a line of {@link #toLine}. */
    public static Outcome parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not an outcome: " + line);
        }
        return new Outcome(
                Long.parseLong(matcher.group(1)), Latency.parse(matcher.group(2)), Usage.parse(matcher.group(3)));
    }
}
