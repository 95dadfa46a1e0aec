// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What came of a run, as the client saw it.
 *
 * @param nanos from the first call to the end of the last
 * @param medianNanos the median duration of a call
 * @param usage what the client's process used meanwhile
 */
public record Outcome(long nanos, long medianNanos, Usage usage) {
    private static final Pattern LINE = Pattern.compile("nanos=(\\d+) median=(\\d+) (.*)");

    /** As {@link #parse} reads it. */
    public String toLine() {
        return "nanos=" + nanos + " median=" + medianNanos + " " + usage.toLine();
    }

    /** Reads {@code nanos=N median=N allocated=BYTES cpu=NANOSECONDS changes=N}. */
    public static Outcome parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not an outcome: " + line);
        }
        return new Outcome(
                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), Usage.parse(matcher.group(3)));
    }
}
