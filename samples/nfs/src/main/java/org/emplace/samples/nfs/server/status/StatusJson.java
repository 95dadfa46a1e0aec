// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample.Rate;

/** Writes a server's statistics as JSON. Names of procedures need no escapes. */
final class StatusJson {
    private StatusJson() {}

    static String of(StatusHistory history, Instant started, Instant now) {
        return "{\"started\":\"" + started + "\",\"now\":\"" + now + "\",\"load\":" + load(history.load())
                + ",\"procedures\":" + object(history.totals(), StatusJson::totals)
                + ",\"samples\":["
                + history.samples().stream().map(StatusJson::sample).collect(Collectors.joining(",\n")) + "]}\n";
    }

    private static String sample(ServerSample sample) {
        return "{\"end\":\"" + sample.end() + "\",\"load\":" + load(sample.load()) + ",\"procedures\":"
                + object(sample.rates(), StatusJson::rate) + "}";
    }

    private static String load(ServerLoad load) {
        return String.format(
                Locale.ROOT,
                "{\"connections\":%d,\"connectionsRejected\":%d,\"callsRunning\":%d,\"callsWaiting\":%d,"
                        + "\"longestWaitSeconds\":%.3f,\"repliesKept\":%d,\"replyBytesKept\":%d}",
                load.connections(),
                load.connectionsRejected(),
                load.callsRunning(),
                load.callsWaiting(),
                load.longestWait().toNanos() / 1e9,
                load.repliesKept(),
                load.replyBytesKept());
    }

    private static String totals(Totals totals) {
        return String.format(
                Locale.ROOT,
                "{\"calls\":%d,\"errors\":%d,\"notOk\":%d,\"bytesReceived\":%d,\"bytesSent\":%d,\"meanSeconds\":%.9f,"
                        + "\"p50Seconds\":%.9f,\"p99Seconds\":%.9f,\"maxSeconds\":%.9f}",
                totals.calls(),
                totals.errors(),
                totals.failed(),
                totals.bytesReceived(),
                totals.bytesSent(),
                totals.mean(),
                totals.median(),
                totals.percentile99(),
                totals.longest());
    }

    private static String rate(Rate rate) {
        return String.format(
                Locale.ROOT,
                "{\"callsPerSecond\":%.3f,\"bytesPerSecond\":%.1f,\"p99Seconds\":%.9f}",
                rate.calls(),
                rate.bytes(),
                rate.slowest());
    }

    private static <T> String object(Map<String, T> values, Function<T, String> json) {
        return values.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + json.apply(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }
}
