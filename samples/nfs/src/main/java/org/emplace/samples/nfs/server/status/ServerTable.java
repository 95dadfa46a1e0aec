// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;

/** Formats a server's statistics as a table with a row for each procedure. */
public final class ServerTable {
    private ServerTable() {}

    /** The table, over several lines. */
    public static String of(ServerStatistics statistics) {
        Map<String, Totals> totals = statistics.totals();
        if (totals.isEmpty()) {
            return "no calls\n";
        }
        String heading = String.format(
                Locale.ROOT,
                "%-12s %10s %8s %8s %12s %12s %9s %9s %9s %9s%n",
                "procedure",
                "calls",
                "errors",
                "not OK",
                "MiB in",
                "MiB out",
                "mean ms",
                "50% ms",
                "99% ms",
                "max ms");
        return heading
                + totals.entrySet().stream()
                        .map(entry -> row(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining());
    }

    private static String row(String name, Totals totals) {
        return String.format(
                Locale.ROOT,
                "%-12s %,10d %,8d %,8d %,12.1f %,12.1f %9.3f %9.3f %9.3f %9.3f%n",
                name,
                totals.calls(),
                totals.errors(),
                totals.failed(),
                totals.bytesReceived() / 0x1p20,
                totals.bytesSent() / 0x1p20,
                totals.mean() * 1e3,
                totals.median() * 1e3,
                totals.percentile99() * 1e3,
                totals.longest() * 1e3);
    }
}
