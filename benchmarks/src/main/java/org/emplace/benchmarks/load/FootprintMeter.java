// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Measures this process's {@link Footprint}. */
public final class FootprintMeter {
    private static final int COLLECTIONS = 3;
    private static final int MILLIS_BETWEEN = 100;

    private final LongSupplier uncounted;

    /**
     * Creates a meter.
     *
     * @param uncounted bytes of direct memory that a library allocates without the JVM's accounting
     */
    public FootprintMeter(LongSupplier uncounted) {
        this.uncounted = uncounted;
    }

    /** Measures after several garbage collections: direct buffers are freed only after the objects that hold them. */
    public Footprint read() throws InterruptedException {
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
}
