// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.emplace.rpc.ServerObserver.AnswerReport;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;

/** Adds up the calls of one procedure. Safe for use by several threads. */
final class ProcedureStatistics {
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
