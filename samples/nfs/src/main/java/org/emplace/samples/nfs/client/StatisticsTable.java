// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.samples.nfs.client.CallStatistics.Totals;

/** Prints statistics as a table with a row for each procedure and one for all of them. */
public final class StatisticsTable {
    private static final String HEADING = "%-12s %7s %12s %13s %13s %11s %11s %6s %8s%n";

    private StatisticsTable() {}

    /** The table, over several lines. */
    public static String of(CallStatistics statistics) {
        Map<String, Totals> totals = statistics.totals();
        if (totals.isEmpty()) {
            return "no calls\n";
        }
        Optional<Totals> all = totals.values().stream().reduce(Totals::plus);
        String heading = String.format(
                        Locale.ROOT,
                        HEADING,
                        "",
                        "",
                        "bytes",
                        "bytes by",
                        "bytes by",
                        "bytes by",
                        "bytes by",
                        "our",
                        "")
                + String.format(
                        Locale.ROOT,
                        HEADING,
                        "procedure",
                        "calls",
                        "inline",
                        "Read chunk",
                        "Write chunk",
                        "Reply chunk",
                        "Position 0",
                        "copies",
                        "MB/s");
        List<String> rows = Stream.concat(
                        totals.entrySet().stream().map(entry -> row(shortName(entry.getKey()), entry.getValue())),
                        all.stream().map(sum -> row("all", sum)))
                .toList();
        String rule = "-".repeat(heading.indexOf('\n')) + "\n";
        return heading + rule + String.join("", rows.subList(0, rows.size() - 1)) + rule + rows.get(rows.size() - 1);
    }

    private static String shortName(String procedure) {
        return procedure.substring(procedure.indexOf('_') + 1);
    }

    private static String row(String name, Totals totals) {
        return String.format(
                Locale.ROOT,
                "%-12s %7d %,12d %,13d %,13d %,11d %,11d %6d %8.1f%n",
                name,
                totals.calls(),
                totals.inlineBytes(),
                totals.readChunkBytes(),
                totals.writeChunkBytes(),
                totals.replyChunkBytes(),
                totals.positionZeroBytes(),
                totals.copies(),
                totals.megabytesPerSecond());
    }
}
