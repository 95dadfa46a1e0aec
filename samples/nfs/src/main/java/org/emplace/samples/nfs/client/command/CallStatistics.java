// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.CallObserver;
import org.jspecify.annotations.Nullable;

/** Adds up the calls of each procedure, their number, time and bytes, and formats the sums as a table. */
public final class CallStatistics implements CallObserver {
    private static final String ALL = "";
    private static final String HEADING = """
                                        bytes      bytes by      bytes by    bytes by    bytes by    our
            procedure      calls       inline    Read chunk   Write chunk Reply chunk  Position 0 copies     MB/s
            """;
    private static final String RULE = "-".repeat(HEADING.length() - HEADING.indexOf('\n') - 2) + "\n";

    private final Map<String, Totals> byProcedure = new ConcurrentHashMap<>();

    @Override
    public void completed(CallReport report) {
        add(report.procedure().name(), report);
        add(ALL, report);
    }

    private void add(String name, CallReport report) {
        byProcedure.compute(
                name, (ignored, totals) -> (totals == null ? Totals.NONE : totals).plus(report, System.nanoTime()));
    }

    /** The table, over several lines: a row for each procedure, and one for all of them. */
    public String table() {
        StringBuilder rows = new StringBuilder();
        new TreeMap<>(byProcedure)
                .forEach((name, totals) -> rows.append(name.equals(ALL) ? "" : row(shortName(name), totals)));
        @Nullable Totals all = byProcedure.get(ALL);
        return all == null ? "no calls\n" : HEADING + RULE + rows + RULE + row("all", all);
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

    /**
     * The calls of one procedure, or of all. The numbers of bytes are those of {@link CallReport}.
     *
     * @param busyNanos time in which at least one of the calls was in progress
     * @param lastEnd when the last of them ended, in nanoseconds of some clock
     */
    private record Totals(
            long calls,
            long inlineBytes,
            long readChunkBytes,
            long positionZeroBytes,
            long writeChunkBytes,
            long replyChunkBytes,
            long copies,
            long busyNanos,
            long lastEnd) {

        private static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0);

        Totals plus(CallReport report, long end) {
            long start = end - report.elapsed().toNanos();
            boolean overlapping = calls > 0 && start - lastEnd < 0;
            return new Totals(
                    calls + 1,
                    inlineBytes + report.inlineBytes(),
                    readChunkBytes + report.readChunkBytes(),
                    positionZeroBytes + report.positionZeroBytes(),
                    writeChunkBytes + report.writeChunkBytes(),
                    replyChunkBytes + report.replyChunkBytes(),
                    copies + report.copies(),
                    busyNanos + (end - (overlapping ? lastEnd : start)),
                    end);
        }

        /** Megabytes (10^6 bytes) moved in a second in which calls were in progress. */
        double megabytesPerSecond() {
            long bytes = inlineBytes + readChunkBytes + positionZeroBytes + writeChunkBytes + replyChunkBytes;
            return bytes * 1e3 / Math.max(1, busyNanos);
        }
    }
}
