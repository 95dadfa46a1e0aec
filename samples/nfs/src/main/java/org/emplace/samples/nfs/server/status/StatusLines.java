// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample.Rate;
import org.emplace.samples.nfs.server.status.TimeChart.Line;
import org.emplace.samples.nfs.server.status.TimeChart.Point;

/** The lines of a page's plots. Each plot shows the same procedures in the same colors: the busiest ones, and one line for all others. */
final class StatusLines {
    private static final int MOST = 5;
    private static final String OTHERS = "others";

    private final List<ServerSample> samples;
    private final List<String> busiest;

    /** @param samples oldest first */
    StatusLines(List<ServerSample> samples) {
        this.samples = samples;
        this.busiest = busiest(samples);
    }

    /** The procedures with the largest shares of calls or bytes, in alphabetical order, so that colors seldom change. */
    private static List<String> busiest(List<ServerSample> samples) {
        Map<String, Double> calls = sums(samples, Rate::calls);
        Map<String, Double> bytes = sums(samples, Rate::bytes);
        double allCalls = Math.max(1e-9, total(calls));
        double allBytes = Math.max(1e-9, total(bytes));
        Comparator<String> byShare = Comparator.comparingDouble(
                name -> Math.max(calls.getOrDefault(name, 0.0) / allCalls, bytes.getOrDefault(name, 0.0) / allBytes));
        return calls.keySet().stream()
                .sorted(byShare.reversed())
                .limit(MOST)
                .sorted()
                .toList();
    }

    private static Map<String, Double> sums(List<ServerSample> samples, ToDoubleFunction<Rate> value) {
        Map<String, Double> sums = new HashMap<>();
        samples.forEach(sample ->
                sample.rates().forEach((name, rate) -> sums.merge(name, value.applyAsDouble(rate), Double::sum)));
        return sums;
    }

    private static double total(Map<String, Double> sums) {
        return sums.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Calls per second. The line is at 0 where a procedure had no calls. */
    List<Line> calls() {
        return byProcedure(Rate::calls, Double::sum, true);
    }

    /** MiB per second. */
    List<Line> mebibytes() {
        return byProcedure(rate -> rate.bytes() / 0x1p20, Double::sum, true);
    }

    /** The 99th percentile of the time. There is no line where a procedure had no calls. */
    List<Line> milliseconds() {
        return byProcedure(rate -> rate.slowest() * 1e3, Math::max, false);
    }

    /** Connections, and calls that run or wait. */
    List<Line> load() {
        return List.of(
                ofLoad("connections", sample -> sample.load().connections()),
                ofLoad("calls running", sample -> sample.load().callsRunning()),
                ofLoad("calls waiting", sample -> sample.load().callsWaiting()));
    }

    private Line ofLoad(String name, ToDoubleFunction<ServerSample> value) {
        return new Line(
                name,
                samples.stream()
                        .map(sample -> new Point(sample.end(), value.applyAsDouble(sample)))
                        .toList());
    }

    private List<Line> byProcedure(ToDoubleFunction<Rate> value, DoubleBinaryOperator sum, boolean isZeroWithoutCalls) {
        List<Line> lines = new ArrayList<>();
        for (String name : busiest) {
            lines.add(line(name, List.of(name), value, sum, isZeroWithoutCalls));
        }
        List<String> others = samples.stream()
                .flatMap(sample -> sample.rates().keySet().stream())
                .distinct()
                .filter(name -> !busiest.contains(name))
                .toList();
        if (!others.isEmpty()) {
            lines.add(line(OTHERS, others, value, sum, isZeroWithoutCalls));
        }
        return lines;
    }

    private Line line(
            String name,
            List<String> procedures,
            ToDoubleFunction<Rate> value,
            DoubleBinaryOperator sum,
            boolean isZeroWithoutCalls) {
        List<Point> points = new ArrayList<>();
        for (ServerSample sample : samples) {
            List<Rate> rates = procedures.stream()
                    .flatMap(procedure -> Stream.ofNullable(sample.rates().get(procedure)))
                    .toList();
            if (isZeroWithoutCalls || !rates.isEmpty()) {
                points.add(new Point(
                        sample.end(), rates.stream().mapToDouble(value).reduce(0, sum)));
            }
        }
        return new Line(name, points);
    }
}
