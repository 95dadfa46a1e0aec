// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Locale;

/** Describes the machine on which a measurement is made. */
final class Machine {
    private Machine() {}

    /** One line: Java, operating system, processors, and their load at the start. */
    static String describe() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "Java %s, %s %s on %s, %d processors, load average %.1f at the start.%n",
                System.getProperty("java.version"),
                system.getName(),
                system.getVersion(),
                system.getArch(),
                system.getAvailableProcessors(),
                system.getSystemLoadAverage());
    }
}
