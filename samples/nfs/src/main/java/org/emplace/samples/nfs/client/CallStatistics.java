// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.emplace.rpc.CallObserver;

/** Adds up, for each procedure, what its calls moved and how. */
public final class CallStatistics implements CallObserver {
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
        long end = nanoTime.getAsLong();
        byProcedure.merge(report.procedure().name(), Totals.of(report, end), Totals::plus);
    }

    /** What has been added up, by the procedure's name. */
    public Map<String, Totals> totals() {
        return new TreeMap<>(byProcedure);
    }

    /**
     * The calls of one procedure, or of several, together. The numbers of bytes are those of {@link CallReport}.
     *
     * @param firstStart when the first of them began, in nanoseconds of some clock
     * @param lastEnd when the last of them ended
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
            long firstStart,
            long lastEnd) {

        private static Totals of(CallReport report, long end) {
            return new Totals(
                    1,
                    report.succeeded() ? 0 : 1,
                    report.inlineBytes(),
                    report.readChunkBytes(),
                    report.positionZeroBytes(),
                    report.writeChunkBytes(),
                    report.replyChunkBytes(),
                    report.copies(),
                    report.copiedBytes(),
                    end - report.elapsed().toNanos(),
                    end);
        }

        /** Both together. */
        public Totals plus(Totals other) {
            return new Totals(
                    calls + other.calls,
                    failed + other.failed,
                    inlineBytes + other.inlineBytes,
                    readChunkBytes + other.readChunkBytes,
                    positionZeroBytes + other.positionZeroBytes,
                    writeChunkBytes + other.writeChunkBytes,
                    replyChunkBytes + other.replyChunkBytes,
                    copies + other.copies,
                    copiedBytes + other.copiedBytes,
                    firstStart - other.firstStart < 0 ? firstStart : other.firstStart,
                    lastEnd - other.lastEnd > 0 ? lastEnd : other.lastEnd);
        }

        /** Bytes moved in any way. */
        public long bytes() {
            return inlineBytes + readChunkBytes + positionZeroBytes + writeChunkBytes + replyChunkBytes;
        }

        /** Megabytes (10^6 bytes) moved in a second, from the first call's start to the last one's end. */
        public double megabytesPerSecond() {
            return bytes() * 1e3 / Math.max(1, lastEnd - firstStart);
        }
    }
}
