// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.process.Measured;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/** The runs of every subject under every load, in the order in which they were made. */
final class Results {
    private final Map<Load, Map<String, List<Measured>>> runs = new LinkedHashMap<>();

    void add(Load load, String subject, Measured measured) {
        runs.computeIfAbsent(load, first -> new LinkedHashMap<>())
                .computeIfAbsent(subject, first -> new ArrayList<>())
                .add(measured);
    }

    /** Forgets a subject's runs under a load. */
    void remove(Load load, String subject) {
        runs.getOrDefault(load, Map.of()).remove(subject);
    }

    /** Each load with each comparison of subjects that both take it; the ratio is that of the same round's values. */
    Table comparisons(List<Pairing> comparisons) {
        Table table = new Table("Call", "Unit", "Measured", "median (min–max)", "Peer", "median (min–max)", "Ratio");
        runs.keySet().forEach(load -> {
            for (Pairing comparison : comparisons) {
                if (!has(load, comparison.ours()) || !has(load, comparison.peer())) {
                    continue;
                }
                Series ours = series(load, comparison.ours(), Measured::value);
                Series peer = series(load, comparison.peer(), Measured::value);
                table.row(List.of(
                        load.toString(),
                        load.isOneAtATime() ? "µs" : "MiB/s",
                        comparison.ours(),
                        ours.toText(load.isOneAtATime() ? 1 : 0),
                        comparison.peer(),
                        peer.toText(load.isOneAtATime() ? 1 : 0),
                        ours.dividedBy(peer).toText(2)));
            }
        });
        return table;
    }

    /** What calls cost those subjects that tell. */
    List<Table> costs(List<String> subjects) {
        return List.of(
                costs("Bytes allocated per call", subjects, Measured::allocatedPerCall),
                costs("Processor time per call, µs", subjects, Measured::cpuPerCall),
                costs("Thread changes per call", subjects, Measured::threadChangesPerCall));
    }

    /** A row for each of the subjects and a column for each load: the median of what a call costs. */
    private Table costs(String what, List<String> subjects, ToDoubleFunction<Measured> cost) {
        List<String> heads = new ArrayList<>(List.of(what));
        runs.keySet().forEach(load -> heads.add(load.toString()));
        Table table = new Table(heads.toArray(String[]::new));
        for (String subject : subjects) {
            List<String> row = new ArrayList<>(List.of(subject));
            runs.keySet()
                    .forEach(load -> row.add(
                            has(load, subject)
                                    ? rounded(series(load, subject, cost).median())
                                    : "–"));
            table.row(row);
        }
        return table;
    }

    /** What is small with a decimal. */
    private static String rounded(double value) {
        return String.format(Locale.ROOT, value < 20 ? "%.1f" : "%.0f", value);
    }

    private boolean has(Load load, String subject) {
        return runs.getOrDefault(load, Map.of()).containsKey(subject);
    }

    private Series series(Load load, String subject, ToDoubleFunction<Measured> value) {
        return new Series(runs.getOrDefault(load, Map.of()).getOrDefault(subject, List.of()).stream()
                .map(value::applyAsDouble)
                .toList());
    }
}
