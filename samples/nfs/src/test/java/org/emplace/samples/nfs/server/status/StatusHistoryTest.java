// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver.AnswerReport;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample;
import org.emplace.samples.nfs.server.status.StatusPage.Figures;
import org.emplace.samples.nfs.server.status.TimeChart.Line;
import org.emplace.samples.nfs.server.status.TimeChart.Point;
import org.junit.jupiter.api.Test;

/** Statistics, their history, and the presentation of both. */
final class StatusHistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ServerStatistics statistics = new ServerStatistics();
    private final StatusHistory history =
            new StatusHistory(statistics, () -> ServerLoad.NONE.withConnections(1, 0), START);

    @Test
    void callsAddUpByProcedure() {
        statistics.answered(Answers.of("NFSPROC3_READ", 100, 1000));
        statistics.answered(Answers.of("NFSPROC3_READ", Outcome.SYSTEM_ERROR, 100, 24, Duration.ofMillis(10)));
        statistics.failed("READ");
        statistics.answered(AnswerReport.of(Optional.empty(), Outcome.AUTHENTICATION)
                .withBytes(40, 20)
                .withTimes(Duration.ZERO, Duration.ofMillis(1)));
        assertThat(statistics.totals()).containsOnlyKeys("READ", ServerStatistics.REFUSED);
        Totals reads = Objects.requireNonNull(statistics.totals().get("READ"));
        assertThat(reads.calls()).isEqualTo(2);
        assertThat(reads.errors()).isEqualTo(1);
        assertThat(reads.failed()).isEqualTo(1);
        assertThat(reads.bytesReceived()).isEqualTo(200);
        assertThat(reads.bytesSent()).isEqualTo(1024);
        assertThat(reads.mean()).isCloseTo(0.006, within(0.0001));
        assertThat(reads.median()).isCloseTo(0.002, within(0.0001));
        assertThat(reads.longest()).isCloseTo(0.010, within(0.0001));
    }

    @Test
    void theTableHasARowForEachProcedure() {
        assertThat(statistics.table()).isEqualTo("no calls\n");
        statistics.answered(Answers.of("NFSPROC3_READ", 3 << 20, 1 << 20));
        statistics.failed("LOOKUP");
        assertThat(statistics.table().lines().toList())
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("procedure "),
                        lookup -> assertThat(lookup).matches("LOOKUP +0 +0 +1 .*"),
                        read -> assertThat(read).matches("READ +1 +0 +0 +3\\.0 +1\\.0 +[12]\\.\\d{3} .*"));
    }

    @Test
    void aSampleHasTheRatesOfItsInterval() {
        statistics.answered(Answers.of("NFSPROC3_READ", 100, 900));
        history.sample(START.plusSeconds(5));
        statistics.answered(Answers.of("NFSPROC3_WRITE", 2000, 0));
        statistics.answered(Answers.of("NFSPROC3_WRITE", 2000, 0));
        history.sample(START.plusSeconds(10));
        history.sample(START.plusSeconds(10));
        List<ServerSample> samples = history.samples();
        assertThat(samples).hasSize(2);
        assertThat(samples.get(0).rates()).containsOnlyKeys("READ");
        assertThat(rate(samples.get(0), "READ").calls()).isEqualTo(0.2);
        assertThat(rate(samples.get(0), "READ").bytes()).isEqualTo(200);
        assertThat(samples.get(1).rates()).containsOnlyKeys("WRITE");
        assertThat(rate(samples.get(1), "WRITE").calls()).isEqualTo(0.4);
        assertThat(rate(samples.get(1), "WRITE").slowest()).isCloseTo(0.002, within(0.0001));
    }

    private static ServerSample.Rate rate(ServerSample sample, String procedure) {
        return Objects.requireNonNull(sample.rates().get(procedure));
    }

    @Test
    void samplesAreKeptForTenMinutes() {
        for (int seconds = 5; seconds <= 3600; seconds += 5) {
            history.sample(START.plusSeconds(seconds));
        }
        assertThat(history.samples()).hasSize(121);
        assertThat(history.samples().get(0).end()).isEqualTo(START.plusSeconds(3000));
    }

    @Test
    void plotsShowTheBusiestAndOneLineForAllOthers() {
        for (String name : List.of("A", "B", "C", "D", "E", "F", "G")) {
            statistics.answered(Answers.of(name, 1000, 0));
            statistics.answered(Answers.of(name, 1000, 0));
        }
        statistics.answered(Answers.of("F", 0, 1 << 20));
        statistics.answered(Answers.of("G", 0, 1 << 20));
        history.sample(START.plusSeconds(5));
        List<Line> calls = new StatusLines(history.samples()).calls();
        assertThat(calls).hasSize(6);
        assertThat(calls).extracting(Line::name).contains("F", "G").endsWith("others");
        assertThat(calls.stream()
                        .mapToDouble(line -> line.points().get(0).value())
                        .sum())
                .isCloseTo(16 / 5.0, within(1e-9));
    }

    @Test
    void aChartJoinsNeighborsButNotAcrossAGap() {
        Instant now = START.plusSeconds(600);
        Line line = new Line(
                "READ",
                List.of(
                        new Point(START.plusSeconds(100), 5),
                        new Point(START.plusSeconds(105), 10),
                        new Point(START.plusSeconds(595), 20)));
        TimeChart chart = new TimeChart("calls per second", now, List.of(line));
        assertThat(chart.svg())
                .contains("class=\"line0\"")
                .containsPattern("d=\"M[\\d. ]+h1\\.5L[\\d. ]+M[\\d. ]+h1\\.5\"");
        assertThat(chart.latest(line)).hasValue(20);
        assertThat(new TimeChart("", START.plusSeconds(900), List.of(line)).latest(line))
                .isEmpty();
        assertThat(new TimeChart("", now, List.of()).svg()).startsWith("<svg").endsWith("</svg>");
    }

    @Test
    void numbersAreShort() {
        assertThat(Figures.number(0)).isEqualTo("0");
        assertThat(Figures.number(0.25)).isEqualTo("0.25");
        assertThat(Figures.number(12.5)).isEqualTo("12.5");
        assertThat(Figures.number(1250)).isEqualTo("1250");
        assertThat(Figures.number(12_500)).isEqualTo("12.5k");
        assertThat(Figures.number(3_000_000)).isEqualTo("3M");
        assertThat(Figures.html("<b a=\"'&\">")).isEqualTo("&lt;b a=&quot;&#39;&amp;&quot;&gt;");
    }
}
