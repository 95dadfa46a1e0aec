// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;

/** The activity of a server in the last ten minutes, in intervals. Safe for use by several threads. */
final class StatusHistory {
    /** The length of an interval. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    /** How long a sample is kept. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private final ServerStatistics statistics;
    private final Supplier<ServerLoad> load;
    private final Deque<ServerSample> samples = new ArrayDeque<>();
    private Map<String, Totals> before;
    private Instant last;

    /** @param start the current time */
    StatusHistory(ServerStatistics statistics, Supplier<ServerLoad> load, Instant start) {
        this.statistics = statistics;
        this.load = load;
        before = statistics.totals();
        last = start;
    }

    /** Ends an interval. Has no effect if no time has passed. */
    synchronized void sample(Instant now) {
        double seconds = Duration.between(last, now).toNanos() / 1e9;
        if (seconds <= 0) {
            return;
        }
        Map<String, Totals> totals = statistics.totals();
        Map<String, Double> slowest = statistics.slowest();
        Map<String, ServerSample.Rate> rates = new TreeMap<>();
        totals.forEach((name, total) -> {
            Totals earlier = before.get(name);
            long calls = total.calls() - (earlier == null ? 0 : earlier.calls());
            long bytes = total.bytes() - (earlier == null ? 0 : earlier.bytes());
            if (calls > 0) {
                rates.put(
                        name, new ServerSample.Rate(calls / seconds, bytes / seconds, slowest.getOrDefault(name, 0.0)));
            }
        });
        samples.add(new ServerSample(now, load.get(), rates));
        while (samples.element().end().isBefore(now.minus(KEPT))) {
            samples.remove();
        }
        before = totals;
        last = now;
    }

    /** The samples, oldest first. */
    synchronized List<ServerSample> samples() {
        return List.copyOf(samples);
    }

    /** The totals since the start. */
    Map<String, Totals> totals() {
        return statistics.totals();
    }

    /** The current load. */
    ServerLoad load() {
        return load.get();
    }

    /**
     * The activity of a server in an interval.
     *
     * @param end of the interval
     * @param load at its end
     * @param rates by procedure, without procedures that had no calls
     */
    record ServerSample(Instant end, ServerLoad load, Map<String, Rate> rates) {

        /**
         * The calls of one procedure.
         *
         * @param calls per second
         * @param bytes per second, in both directions
         * @param slowest the 99th percentile of the calls' time, in seconds
         */
        record Rate(double calls, double bytes, double slowest) {}
    }
}
