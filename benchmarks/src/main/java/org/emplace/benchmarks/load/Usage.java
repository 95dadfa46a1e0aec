// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has used since it began.
 *
 * @param allocated bytes allocated in the Java heap
 * @param cpuNanos processor time of Java threads, the kernel's on their behalf included; not that of the JVM's compilers and collectors
 * @param threadChanges how often a thread went to sleep or was put off for another one, where the operating system tells (Linux); else 0
 * @param compileMillis how long the JVM's compilers have worked
 */
public record Usage(long allocated, long cpuNanos, long threadChanges, long compileMillis) {
    /** Of a process of which nothing is known. */
    public static final Usage NOTHING = new Usage(0, 0, 0, 0);

    private static final Pattern LINE = Pattern.compile("allocated=(\\d+) cpu=(\\d+) changes=(\\d+) compile=(\\d+)");

    /** What was used in between. */
    public Usage since(Usage earlier) {
        return new Usage(
                allocated - earlier.allocated,
                cpuNanos - earlier.cpuNanos,
                threadChanges - earlier.threadChanges,
                compileMillis - earlier.compileMillis);
    }

    /** What two processes have used. */
    public Usage plus(Usage other) {
        return new Usage(
                allocated + other.allocated,
                cpuNanos + other.cpuNanos,
                threadChanges + other.threadChanges,
                compileMillis + other.compileMillis);
    }

    /** As {@link #parse} reads it. */
    public String toLine() {
        return "allocated=" + allocated + " cpu=" + cpuNanos + " changes=" + threadChanges + " compile="
                + compileMillis;
    }

    /** Reads {@code allocated=BYTES cpu=NANOSECONDS changes=N compile=MILLISECONDS}. */
    public static Usage parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a usage: " + line);
        }
        return new Usage(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4)));
    }
}
