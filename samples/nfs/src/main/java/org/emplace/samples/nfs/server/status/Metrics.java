// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;

/** A server's statistics for Prometheus. */
final class Metrics {
    /** The media type of {@link #of}. */
    static final String TYPE = "text/plain; version=0.0.4";

    private static final String PREFIX = "emplace_nfs_";

    private Metrics() {}

    /** The statistics in Prometheus's text format. */
    static String of(ServerLoad load, Map<String, Totals> totals) throws IOException {
        MetricSnapshots all = MetricSnapshots.of(
                gauge("connections", "Connections that are open or being set up", load.connections()),
                CounterSnapshot.builder()
                        .name(PREFIX + "connections_rejected")
                        .help("Connections rejected because there were too many")
                        .dataPoint(CounterDataPointSnapshot.builder()
                                .value((double) load.connectionsRejected())
                                .build())
                        .build(),
                gauge("calls_running", "Calls whose handlers run", load.callsRunning()),
                gauge("calls_waiting", "Calls that wait for a thread", load.callsWaiting()),
                gauge(
                        "longest_wait_seconds",
                        "How long the first of the waiting calls has waited",
                        load.longestWait().toNanos() / 1e9),
                gauge("replies_kept", "Replies kept for calls that clients may send again", load.repliesKept()),
                gauge("replies_kept_bytes", "The size of these replies", (double) load.replyBytesKept()),
                times(totals),
                counter("call_errors", "Calls without results", totals, Totals::errors),
                counter("results_not_ok", "Calls whose results have another status than OK", totals, Totals::failed),
                counter("received_bytes", "The size of calls", totals, Totals::bytesReceived),
                counter("sent_bytes", "The size of replies", totals, Totals::bytesSent));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        new PrometheusTextFormatWriter(false).write(text, all);
        return text.toString(StandardCharsets.UTF_8);
    }

    private static MetricSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(PREFIX + name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build();
    }

    private static MetricSnapshot counter(
            String name, String help, Map<String, Totals> totals, ToDoubleFunction<Totals> value) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name(PREFIX + name).help(help);
        totals.forEach((procedure, total) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of("procedure", procedure))
                .value(value.applyAsDouble(total))
                .build()));
        return counter.build();
    }

    private static MetricSnapshot times(Map<String, Totals> totals) {
        SummarySnapshot.Builder summary = SummarySnapshot.builder()
                .name(PREFIX + "call_seconds")
                .help("The time from a call's arrival until its reply has been sent");
        totals.forEach((procedure, total) -> summary.dataPoint(SummaryDataPointSnapshot.builder()
                .labels(Labels.of("procedure", procedure))
                .count(total.calls())
                .sum(total.mean() * total.calls())
                .quantiles(Quantiles.of(new Quantile(0.5, total.median()), new Quantile(0.99, total.percentile99())))
                .build()));
        return summary.build();
    }
}
