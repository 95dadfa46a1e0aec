// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * How long the calls of a run took, in nanoseconds.
 *
 * @param median half of the calls took no longer
 * @param p99 99 of 100 took no longer
 * @param p999 999 of 1,000 took no longer
 */
public record Latency(long median, long p99, long p999) {
    /** Of a run whose calls cannot be told from each other. */
    public static final Latency UNKNOWN = new Latency(0, 0, 0);

    private static final Pattern LINE = Pattern.compile("median=(\\d+) p99=(\\d+) p999=(\\d+)");

    /** The percentiles of what a histogram has recorded. */
    public static Latency of(Histogram nanos) {
        return new Latency(
                nanos.getValueAtPercentile(50), nanos.getValueAtPercentile(99), nanos.getValueAtPercentile(99.9));
    }

    /** As {@link #parse} reads it. */
    public String toLine() {
        return "median=" + median + " p99=" + p99 + " p999=" + p999;
    }

    /** Reads {@code median=N p99=N p999=N}. */
    public static Latency parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a latency: " + line);
        }
        return new Latency(
                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)));
    }
}
