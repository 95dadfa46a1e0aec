// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.ServerObserver;

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
}
