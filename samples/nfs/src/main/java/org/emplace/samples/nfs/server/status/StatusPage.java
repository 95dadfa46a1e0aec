// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample;
import org.emplace.samples.nfs.server.status.TimeChart.Line;

/**
 * Writes a server's statistics as an HTML page with plots. The page needs no scripts and no external resources. The browser reloads it.
 *
 * @param style the style sheet; must not contain {@code <}
 */
record StatusPage(String style) {
    /** The page. */
    String html(StatusHistory history, Instant started, Instant now) {
        List<ServerSample> samples = history.samples();
        Map<String, Totals> totals = history.totals();
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>nfs-server</title>"
                + "<meta name=\"viewport\" content=\"width=device-width\">"
                + "<meta http-equiv=\"refresh\" content=\"" + StatusHistory.INTERVAL.toSeconds() + "\">"
                + "<style>" + style + "</style></head><body>"
                + "<h1>nfs-server</h1><p>Up for " + uptime(Duration.between(started, now)) + ", since "
                + started.truncatedTo(ChronoUnit.SECONDS) + ". The plots show the last "
                + StatusHistory.KEPT.toMinutes() + " minutes, in intervals of " + StatusHistory.INTERVAL.toSeconds()
                + " seconds. The same data is available as <a href=\"/status.json\">JSON</a>.</p>\n"
                + cards(history.load(), totals)
                + charts(new StatusLines(samples), now)
                + table(totals)
                + "</body></html>\n";
    }

    private static String uptime(Duration up) {
        return up.toDays() > 0
                ? up.toDays() + " d " + up.toHoursPart() + " h"
                : up.toHours() > 0
                        ? up.toHours() + " h " + up.toMinutesPart() + " min"
                        : up.toMinutesPart() + " min " + up.toSecondsPart() + " s";
    }

    private static String cards(ServerLoad load, Map<String, Totals> totals) {
        long calls = totals.values().stream().mapToLong(Totals::calls).sum();
        long errors = totals.values().stream().mapToLong(Totals::errors).sum();
        return "<div class=\"cards\">"
                + card("connections", load.connections())
                + card("connections rejected", load.connectionsRejected())
                + card("calls running", load.callsRunning())
                + card("calls waiting", load.callsWaiting())
                + card("longest wait, ms", load.longestWait().toMillis())
                + card("calls", calls)
                + card("RPC errors", errors)
                + card("replies kept", load.repliesKept())
                + "</div>\n";
    }

    private static String card(String name, long value) {
        return "<div class=\"card\"><b>" + count(value) + "</b><span>" + name + "</span></div>";
    }

    private static String charts(StatusLines lines, Instant now) {
        return "<div class=\"charts\">"
                + chart("Calls per second", new TimeChart("calls per second", now, lines.calls()))
                + chart("MiB per second, both directions", new TimeChart("MiB per second", now, lines.mebibytes()))
                + chart("99th percentile of the time, ms", new TimeChart("milliseconds", now, lines.milliseconds()))
                + chart("Connections, and calls in progress", new TimeChart("connections and calls", now, lines.load()))
                + "</div>\n";
    }

    private static String chart(String title, TimeChart chart) {
        StringBuilder legend = new StringBuilder();
        for (int i = 0; i < chart.lines().size(); i++) {
            Line line = chart.lines().get(i);
            legend.append("<li><svg viewBox=\"0 0 18 10\"><rect class=\"line" + i
                    + "\" x=\"1\" y=\"3\" width=\"16\" height=\"4\" rx=\"2\"/></svg>" + Figures.html(line.name()));
            chart.latest(line).ifPresent(value -> legend.append(" <b>" + Figures.number(value) + "</b>"));
            legend.append("</li>");
        }
        return "<section class=\"card\"><h2>" + title + "</h2>" + chart.svg() + "<ul>"
                + (chart.lines().isEmpty() ? "<li>no calls yet</li>" : legend) + "</ul></section>\n";
    }

    private static String table(Map<String, Totals> totals) {
        StringBuilder rows = new StringBuilder();
        totals.forEach((name, total) -> rows.append("<tr><td>" + Figures.html(name) + "</td>"
                + cell(count(total.calls()))
                + bad(total.errors())
                + cell(count(total.failed()))
                + cell(decimal(total.bytesReceived() / 0x1p20, 1))
                + cell(decimal(total.bytesSent() / 0x1p20, 1))
                + cell(decimal(total.mean() * 1e3, 3))
                + cell(decimal(total.median() * 1e3, 3))
                + cell(decimal(total.percentile99() * 1e3, 3))
                + cell(decimal(total.longest() * 1e3, 3))
                + "</tr>\n"));
        return "<section class=\"card wide\"><h2>Since the"
                + " start</h2><table><thead><tr><th>procedure</th><th>calls</th><th>RPC errors</th><th>not"
                + " NFS3_OK</th><th>MiB in</th><th>MiB out</th><th>mean ms</th><th>50 % ms</th><th>99 % ms</th><th>max"
                + " ms</th></tr></thead><tbody>\n" + rows + "</tbody></table></section>";
    }

    private static String bad(long errors) {
        return errors == 0 ? cell("0") : "<td class=\"bad\">" + count(errors) + "</td>";
    }

    private static String cell(String text) {
        return "<td>" + text + "</td>";
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String decimal(double number, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }

    /** Formats numbers for people, and text for HTML. */
    static final class Figures {
        private Figures() {}

        /** At most four digits: {@code 0}, {@code 0.25}, {@code 12.5}, {@code 1250}, {@code 12.5k}, {@code 3M}. */
        static String number(double value) {
            if (value >= 1e6) {
                return digits(value / 1e6) + "M";
            }
            return value >= 1e4 ? digits(value / 1e3) + "k" : digits(value);
        }

        private static String digits(double value) {
            int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
            String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
            return decimals == 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
        }

        /** Escapes text for an element or an attribute. */
        static String html(String text) {
            return text.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\"", "&quot;")
                    .replace("'", "&#39;");
        }
    }
}
