// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Percentiles of the durations of a run's calls, in nanoseconds.
 *
 * @param median half of the calls took at most this time
 * @param p99 99 of 100 calls took at most this time
 * @param p999 999 of 1,000 calls took at most this time
 * @param worst all calls took at most this time
 */
public record Latency(long median, long p99, long p999, long worst) {
    /** For runs without durations of single calls. */
    public static final Latency UNKNOWN = new Latency(0, 0, 0, 0);

    private static final Pattern LINE = Pattern.compile("median=(\\d+) p99=(\\d+) p999=(\\d+) worst=(\\d+)");

    /** The percentiles of a histogram. */
    public static Latency of(Histogram nanos) {
        return new Latency(
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(99),
                nanos.getValueAtPercentile(99.9),
                nanos.getMaxValue());
    }

    /** The line that {@link #parse} reads. */
    public String toLine() {
        return "median=" + median + " p99=" + p99 + " p999=" + p999 + " worst=" + worst;
    }

    /** Reads {@code median=N p99=N p999=N worst=N}. */
    public static Latency parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a latency: " + line);
        }
        return new Latency(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4)));
    }
}
