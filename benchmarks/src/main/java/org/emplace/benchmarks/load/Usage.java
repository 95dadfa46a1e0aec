// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resources that a process has used since its start.
 *
 * @param allocated bytes allocated in the Java heap
 * @param cpuNanos processor time of Java threads in user and kernel mode, without the JVM's compiler and garbage collector threads
 * @param threadChanges voluntary and involuntary context switches, on Linux; else 0
 * @param compileMillis time that the JVM's compilers have used
 */
public record Usage(long allocated, long cpuNanos, long threadChanges, long compileMillis) {
    /** For processes whose usage is unknown. */
    public static final Usage NOTHING = new Usage(0, 0, 0, 0);

    private static final Pattern LINE = Pattern.compile("allocated=(\\d+) cpu=(\\d+) changes=(\\d+) compile=(\\d+)");

    /** The usage since an earlier measurement. */
    public Usage since(Usage earlier) {
        return new Usage(
                allocated - earlier.allocated,
                cpuNanos - earlier.cpuNanos,
                threadChanges - earlier.threadChanges,
                compileMillis - earlier.compileMillis);
    }

    /** The sum of the usages of two processes. */
    public Usage plus(Usage other) {
        return new Usage(
                allocated + other.allocated,
                cpuNanos + other.cpuNanos,
                threadChanges + other.threadChanges,
                compileMillis + other.compileMillis);
    }

    /** The line that {@link #parse} reads. */
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
