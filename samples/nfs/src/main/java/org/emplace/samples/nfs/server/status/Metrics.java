// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;

/** Writes a server's statistics as Prometheus reads them (text exposition format 0.0.4). Names of procedures need no escapes. */
final class Metrics {
    private static final String PREFIX = "emplace_nfs_";

    private final StringBuilder text = new StringBuilder();

    private Metrics() {}

    static String of(ServerLoad load, Map<String, Totals> totals) {
        Metrics metrics = new Metrics();
        metrics.load(load);
        metrics.totals(totals);
        return metrics.text.toString();
    }

    private void load(ServerLoad load) {
        one("connections", "gauge", "Connections that are open or being set up.", load.connections());
        one("connections_rejected_total", "counter", "Connections rejected as too many.", load.connectionsRejected());
        one("calls_running", "gauge", "Calls whose handlers run.", load.callsRunning());
        one("calls_waiting", "gauge", "Calls that wait for a thread.", load.callsWaiting());
        one(
                "longest_wait_seconds",
                "gauge",
                "How long the first of the waiting calls has waited.",
                load.longestWait().toNanos() / 1e9);
        one("replies_kept", "gauge", "Replies kept for calls that clients may send again.", load.repliesKept());
        one("reply_bytes_kept", "gauge", "Bytes of these replies.", load.replyBytesKept());
    }

    private void totals(Map<String, Totals> totals) {
        head("call_seconds", "summary", "Time from a call's arrival until its reply has been sent.");
        totals.forEach((procedure, total) -> {
            String label = "procedure=\"" + procedure + "\"";
            value("call_seconds", label + ",quantile=\"0.5\"", total.median());
            value("call_seconds", label + ",quantile=\"0.99\"", total.percentile99());
            value("call_seconds_sum", label, total.mean() * total.calls());
            value("call_seconds_count", label, total.calls());
        });
        each("call_errors_total", "Calls without results.", totals, Totals::errors);
        each("results_not_ok_total", "Calls whose results have another status than OK.", totals, Totals::failed);
        each("received_bytes_total", "Bytes of calls.", totals, Totals::bytesReceived);
        each("sent_bytes_total", "Bytes of replies.", totals, Totals::bytesSent);
    }

    private void each(String name, String help, Map<String, Totals> totals, ToDoubleFunction<Totals> value) {
        head(name, "counter", help);
        totals.forEach(
                (procedure, total) -> value(name, "procedure=\"" + procedure + "\"", value.applyAsDouble(total)));
    }

    private void one(String name, String type, String help, double value) {
        head(name, type, help);
        value(name, "", value);
    }

    private void head(String name, String type, String help) {
        text.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(PREFIX).append(name).append(' ').append(type).append('\n');
    }

    private void value(String name, String labels, double value) {
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1e15;
        text.append(PREFIX)
                .append(name)
                .append(labels.isEmpty() ? "" : "{" + labels + "}")
                .append(' ')
                .append(isWhole ? Long.toString((long) value) : String.format(Locale.ROOT, "%.9f", value))
                .append('\n');
    }
}
