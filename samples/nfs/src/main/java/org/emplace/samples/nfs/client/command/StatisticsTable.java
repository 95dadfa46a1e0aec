// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.util.Locale;
import java.util.stream.Collectors;
import org.emplace.samples.nfs.client.command.CallStatistics.Totals;

/** Formats statistics as a table, with a row for each procedure and one for all of them. */
public final class StatisticsTable {
    private static final String HEADING = "%-12s %7s %12s %13s %13s %11s %11s %6s %8s%n";

    private StatisticsTable() {}

    /** The table, over several lines. */
    public static String of(CallStatistics statistics) {
        if (statistics.all().calls() == 0) {
            return "no calls\n";
        }
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
        String rule = "-".repeat(heading.length() - heading.indexOf('\n') - 2) + "\n";
        String rows = statistics.byProcedure().entrySet().stream()
                .map(entry -> row(shortName(entry.getKey()), entry.getValue()))
                .collect(Collectors.joining());
        return heading + rule + rows + rule + row("all", statistics.all());
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
