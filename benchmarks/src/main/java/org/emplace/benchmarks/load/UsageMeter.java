// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Measures this process's {@link Usage}. A thread that has ended counts with its last measurement. */
public final class UsageMeter {
    private static final File TASKS = new File("/proc/self/task");

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final Map<Long, Long> allocatedByThread = new HashMap<>();
    private final Map<Long, Long> cpuByThread = new HashMap<>();
    private final Map<Long, Long> changesByTask = new HashMap<>();
    private long ownAllocated;
    private long ownCpuNanos;

    /** The usage so far, without the cost of counting context switches. */
    public Usage read() {
        long[] ids = threads.getAllThreadIds();
        long allocated = sum(allocatedByThread, ids, threads.getThreadAllocatedBytes(ids)) - ownAllocated;
        long cpuNanos = sum(cpuByThread, ids, threads.getThreadCpuTime(ids)) - ownCpuNanos;
        long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        long cpuBefore = threads.getCurrentThreadCpuTime();
        countChanges();
        ownAllocated += threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
        ownCpuNanos += threads.getCurrentThreadCpuTime() - cpuBefore;
        return new Usage(allocated, cpuNanos, sum(changesByTask), compiler.getTotalCompilationTime());
    }

    private static long sum(Map<Long, Long> byThread, long[] ids, long[] values) {
        for (int i = 0; i < ids.length; i++) {
            byThread.merge(ids[i], values[i], Math::max);
        }
        return sum(byThread);
    }

    private static long sum(Map<Long, Long> byThread) {
        return byThread.values().stream().mapToLong(Long::longValue).sum();
    }

    private void countChanges() {
        String[] tasks = TASKS.list();
        if (tasks != null) {
            for (String task : tasks) {
                changesByTask.merge(Long.valueOf(task), changes(task), Math::max);
            }
        }
    }

    private static long changes(String task) {
        try {
            return Files.readAllLines(Path.of(TASKS.getPath(), task, "status")).stream()
                    .filter(line -> line.contains("ctxt_switches:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .sum();
        } catch (IOException ended) {
            return 0;
        }
    }
}
