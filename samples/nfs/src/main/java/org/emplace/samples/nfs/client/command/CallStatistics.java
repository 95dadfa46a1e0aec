// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.emplace.rpc.CallObserver;

/** Adds up the calls of each procedure: their number, time and bytes. */
public final class CallStatistics implements CallObserver {
    private static final String ALL = "";

    private final Map<String, Totals> byProcedure = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    /** Statistics by the system's clock. */
    public CallStatistics() {
        this(System::nanoTime);
    }

    CallStatistics(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public void completed(CallReport report) {
        add(report.procedure().name(), report);
        add(ALL, report);
    }

    private void add(String name, CallReport report) {
        byProcedure.compute(
                name, (ignored, totals) -> (totals == null ? Totals.NONE : totals).plus(report, nanoTime.getAsLong()));
    }

    /** The sums so far, by the procedure's name. */
    public SortedMap<String, Totals> byProcedure() {
        SortedMap<String, Totals> sorted = new TreeMap<>(byProcedure);
        sorted.remove(ALL);
        return sorted;
    }

    /** The sums over all procedures. */
    public Totals all() {
        return byProcedure.getOrDefault(ALL, Totals.NONE);
    }

    /**
     * The calls of one procedure, or of all. The numbers of bytes are those of {@link CallReport}.
     *
     * @param busyNanos time in which at least one of the calls was in progress
     * @param lastEnd when the last of them ended, in nanoseconds of some clock
     */
    public record Totals(
            long calls,
            long failed,
            long inlineBytes,
            long readChunkBytes,
            long positionZeroBytes,
            long writeChunkBytes,
            long replyChunkBytes,
            long copies,
            long copiedBytes,
            long busyNanos,
            long lastEnd) {

        private static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        private Totals plus(CallReport report, long end) {
            long start = end - report.elapsed().toNanos();
            boolean overlapping = calls > 0 && start - lastEnd < 0;
            return new Totals(
                    calls + 1,
                    failed + (report.succeeded() ? 0 : 1),
                    inlineBytes + report.inlineBytes(),
                    readChunkBytes + report.readChunkBytes(),
                    positionZeroBytes + report.positionZeroBytes(),
                    writeChunkBytes + report.writeChunkBytes(),
                    replyChunkBytes + report.replyChunkBytes(),
                    copies + report.copies(),
                    copiedBytes + report.copiedBytes(),
                    busyNanos + (end - (overlapping ? lastEnd : start)),
                    end);
        }

        /** Bytes moved in any way. */
        public long bytes() {
            return inlineBytes + readChunkBytes + positionZeroBytes + writeChunkBytes + replyChunkBytes;
        }

        /** Megabytes (10^6 bytes) moved in a second in which calls were in progress. */
        public double megabytesPerSecond() {
            return bytes() * 1e3 / Math.max(1, busyNanos);
        }
    }
}
