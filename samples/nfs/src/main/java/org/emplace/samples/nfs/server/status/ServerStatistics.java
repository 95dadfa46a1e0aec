// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.ServerObserver.AnswerReport;

/** Adds up a server's calls by procedure. Safe for use by several threads. */
public final class ServerStatistics implements ServerObserver {
    /** Stands for calls that were rejected before their procedure was known. */
    static final String REFUSED = "(refused)";

    private final Map<String, ProcedureStatistics> procedures = new ConcurrentHashMap<>();

    /** Statistics without calls. */
    public ServerStatistics() {}

    @Override
    public void answered(AnswerReport report) {
        of(report.procedure().map(procedure -> shortName(procedure.name())).orElse(REFUSED))
                .answered(report);
    }

    /**
     * Counts a call whose results have another status than NFS3_OK.
     *
     * @param procedure its name, such as {@code READ}
     */
    public void failed(String procedure) {
        of(procedure).failed();
    }

    /** The calls so far, by procedure. */
    SortedMap<String, Totals> totals() {
        SortedMap<String, Totals> totals = new TreeMap<>();
        procedures.forEach((name, statistics) -> totals.put(name, statistics.totals()));
        return totals;
    }

    /** The 99th percentile of each procedure's time since the last call of this method, in seconds, without procedures that had no calls. */
    Map<String, Double> slowest() {
        Map<String, Double> slowest = new TreeMap<>();
        procedures.forEach((name, statistics) -> statistics.slowest().ifPresent(seconds -> slowest.put(name, seconds)));
        return slowest;
    }

    /** A table with a row for each procedure, over several lines. */
    public String table() {
        Map<String, Totals> totals = totals();
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

    private ProcedureStatistics of(String procedure) {
        ProcedureStatistics known = procedures.get(procedure);
        return known == null ? procedures.computeIfAbsent(procedure, first -> new ProcedureStatistics()) : known;
    }

    /** The short name: {@code READ} for {@code NFSPROC3_READ}. */
    private static String shortName(String procedure) {
        return procedure.substring(procedure.lastIndexOf('_') + 1);
    }

    /**
     * The calls of one procedure. Times are in seconds, from the call's arrival until its reply has been sent.
     *
     * @param errors calls without results
     * @param failed calls whose results have another status than NFS3_OK
     * @param mean the mean time; percentiles and maximum follow
     */
    record Totals(
            long calls,
            long errors,
            long failed,
            long bytesReceived,
            long bytesSent,
            double mean,
            double median,
            double percentile99,
            double longest) {

        long bytes() {
            return bytesReceived + bytesSent;
        }
    }

    /** Adds up the calls of one procedure. Safe for use by several threads. */
    private static final class ProcedureStatistics {
        /** An hour; longer calls count as this. */
        private static final long LONGEST_NANOS = 3_600_000_000_000L;

        private static final long SHORTEST_NANOS = 1000;
        private static final int DIGITS = 2;

        private final LongAdder errors = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder bytesReceived = new LongAdder();
        private final LongAdder bytesSent = new LongAdder();
        private final Histogram nanos = new ConcurrentHistogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
        private final Recorder recent = new Recorder(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);

        void answered(AnswerReport report) {
            if (!report.outcome().isSuccess()) {
                errors.increment();
            }
            bytesReceived.add(report.bytesReceived());
            bytesSent.add(report.bytesSent());
            long elapsed = Math.min(report.elapsed().toNanos(), LONGEST_NANOS);
            nanos.recordValue(elapsed);
            recent.recordValue(elapsed);
        }

        void failed() {
            failed.increment();
        }

        Totals totals() {
            Histogram now = nanos.copy();
            return new Totals(
                    now.getTotalCount(),
                    errors.sum(),
                    failed.sum(),
                    bytesReceived.sum(),
                    bytesSent.sum(),
                    now.getMean() / 1e9,
                    now.getValueAtPercentile(50) / 1e9,
                    now.getValueAtPercentile(99) / 1e9,
                    now.getMaxValue() / 1e9);
        }

        /** The 99th percentile since the last call of this method, in seconds; empty if there was no call. */
        OptionalDouble slowest() {
            Histogram interval = recent.getIntervalHistogram();
            return interval.getTotalCount() == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(interval.getValueAtPercentile(99) / 1e9);
        }
    }
}
