// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Reads this process's {@link Usage}. A thread counts with what it had used when it was last seen. */
public final class UsageMeter {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> allocatedByThread = new HashMap<>();
    private final Map<Long, Long> cpuByThread = new HashMap<>();

    /** What has been used so far. */
    public Usage read() {
        long[] ids = threads.getAllThreadIds();
        return new Usage(
                sum(allocatedByThread, ids, threads.getThreadAllocatedBytes(ids)),
                sum(cpuByThread, ids, threads.getThreadCpuTime(ids)));
    }

    private static long sum(Map<Long, Long> byThread, long[] ids, long[] values) {
        for (int i = 0; i < ids.length; i++) {
            byThread.merge(ids[i], values[i], Math::max);
        }
        return byThread.values().stream().mapToLong(Long::longValue).sum();
    }
}
