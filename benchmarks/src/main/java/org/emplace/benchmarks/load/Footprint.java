// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory that a process holds.
 *
 * @param heap bytes of live objects in the Java heap
 * @param direct bytes of direct buffers
 */
public record Footprint(long heap, long direct) {
    private static final int COLLECTIONS = 3;
    private static final int MILLIS_BETWEEN = 100;
    private static final Pattern LINE = Pattern.compile("heap=(-?\\d+) direct=(-?\\d+)");

    /**
     * Measures this process, after several garbage collections: direct buffers are freed only after the objects that hold them.
     *
     * @param uncounted bytes of direct memory that a library allocates without the JVM's accounting
     */
    public static Footprint measure(LongSupplier uncounted) throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(MILLIS_BETWEEN);
        }
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Footprint(heap, direct + uncounted.getAsLong());
    }

    /** The difference to another footprint. */
    public Footprint minus(Footprint other) {
        return new Footprint(heap - other.heap, direct - other.direct);
    }

    /** The sum of the footprints of two processes. */
    public Footprint plus(Footprint other) {
        return new Footprint(heap + other.heap, direct + other.direct);
    }

    /** The footprint of one of {@code number} equal objects. */
    public Footprint dividedBy(int number) {
        return new Footprint(heap / number, direct / number);
    }

    /** All bytes. */
    public long bytes() {
        return heap + direct;
    }

    /** The line that {@link #parse} reads. */
    public String toLine() {
        return "heap=" + heap + " direct=" + direct;
    }

    /** Reads {@code heap=BYTES direct=BYTES}. */
    public static Footprint parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a footprint: " + line);
        }
        return new Footprint(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }
}
