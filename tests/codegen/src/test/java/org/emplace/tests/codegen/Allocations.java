// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures the bytes that this thread allocates. */
final class Allocations {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long start = threads.getCurrentThreadAllocatedBytes();

    long bytes() {
        return threads.getCurrentThreadAllocatedBytes() - start;
    }
}
