// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has used since it began.
 *
 * @param allocated bytes allocated in the Java heap
 * @param cpuNanos processor time of Java threads, the kernel's on their behalf included; not that of the JVM's compilers and collectors
 */
public record Usage(long allocated, long cpuNanos) {
    private static final Pattern LINE = Pattern.compile("allocated=(\\d+) cpu=(\\d+)");

    /** What was used in between. */
    public Usage since(Usage earlier) {
        return new Usage(allocated - earlier.allocated, cpuNanos - earlier.cpuNanos);
    }

    /** As {@link #parse} reads it. */
    public String toLine() {
        return "allocated=" + allocated + " cpu=" + cpuNanos;
    }

    /** Reads {@code allocated=BYTES cpu=NANOSECONDS}. */
    public static Usage parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a usage: " + line);
        }
        return new Usage(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }
}
