// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Reads this process's {@link Usage}. A thread counts with what it had allocated when it was last seen. */
public final class UsageMeter {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Map<Long, Long> allocatedByThread = new HashMap<>();

    /** What has been used so far. */
    public Usage read() {
        long[] ids = threads.getAllThreadIds();
        long[] allocated = threads.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            allocatedByThread.merge(ids[i], allocated[i], Math::max);
        }
        long sum =
                allocatedByThread.values().stream().mapToLong(Long::longValue).sum();
        return new Usage(sum, system.getProcessCpuTime());
    }
}
