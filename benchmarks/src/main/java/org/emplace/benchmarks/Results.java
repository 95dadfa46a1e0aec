// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.emplace.benchmarks.load.Latency;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.process.Measured;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/** The runs of every subject under every load, in the order in which they were measured. */
final class Results {
    private final Map<Load, Map<String, List<Measured>>> runs = new LinkedHashMap<>();

    /** The names of two subjects to compare. */
    record Pairing(String ours, String peer) {}

    void add(Load load, String subject, Measured measured) {
        runs.computeIfAbsent(load, first -> new LinkedHashMap<>())
                .computeIfAbsent(subject, first -> new ArrayList<>())
                .add(measured);
    }

    /** Removes a subject's runs under a load. */
    void remove(Load load, String subject) {
        runs.getOrDefault(load, Map.of()).remove(subject);
    }

    /** A row for each load and each pair of subjects that both take it. Ratios are of values of the same round. */
    Table comparisons(List<Pairing> comparisons) {
        Table table = new Table("Call", "Unit", "Measured", "median (min–max)", "Peer", "median (min–max)", "Ratio");
        runs.keySet().forEach(load -> {
            for (Pairing comparison : comparisons) {
                if (!has(load, comparison.ours()) || !has(load, comparison.peer())) {
                    continue;
                }
                Series ours = values(load, comparison.ours());
                Series peer = values(load, comparison.peer());
                table.row(List.of(
                        load.toString(),
                        load.unit().toString(),
                        comparison.ours(),
                        ours.toText(decimals(load)),
                        comparison.peer(),
                        peer.toText(decimals(load)),
                        ours.dividedBy(peer).toText(2)));
            }
        });
        return table;
    }

    private static int decimals(Load load) {
        return load.unit() == Load.Unit.MICROSECONDS ? 1 : 0;
    }

    /** For calls made one at a time, their durations in microseconds: for each percentile the median of all rounds. */
    Table percentiles(List<String> subjects) {
        Table table = new Table("µs", "", "half of the calls", "99 %", "99.9 %");
        runs.keySet().stream().filter(Load::isOneAtATime).forEach(load -> {
            for (String subject : subjects) {
                if (has(load, subject)) {
                    table.row(List.of(
                            load.toString(),
                            subject,
                            micros(load, subject, Latency::median),
                            micros(load, subject, Latency::p99),
                            micros(load, subject, Latency::p999)));
                }
            }
        });
        return table;
    }

    private String micros(Load load, String subject, ToDoubleFunction<Latency> nanos) {
        Series series = series(
                load,
                subject,
                measured -> nanos.applyAsDouble(measured.outcome().latency()) / 1e3);
        return String.format(Locale.ROOT, "%.1f", series.median());
    }

    /** The costs of a call, for subjects that report them. */
    List<Table> costs(List<String> subjects) {
        return List.of(
                costs("Bytes allocated per call", subjects, Measured::allocatedPerCall),
                costs("Processor time per call, µs", subjects, Measured::cpuPerCall),
                costs("Thread changes per call", subjects, Measured::threadChangesPerCall));
    }

    /** A row for each load and a column for each measured subject: the median of a cost per call. */
    private Table costs(String what, List<String> candidates, ToDoubleFunction<Measured> cost) {
        List<String> subjects = candidates.stream()
                .filter(subject -> runs.keySet().stream().anyMatch(load -> has(load, subject)))
                .toList();
        List<String> heads = new ArrayList<>(List.of(what));
        heads.addAll(subjects);
        Table table = new Table(heads.toArray(String[]::new));
        for (Load load : runs.keySet()) {
            List<String> row = new ArrayList<>(List.of(load.toString()));
            for (String subject : subjects) {
                row.add(has(load, subject) ? rounded(series(load, subject, cost).median()) : "–");
            }
            table.row(row);
        }
        return table;
    }

    /** A number as text: with one decimal if it is small, else without. */
    private static String rounded(double value) {
        return String.format(Locale.ROOT, value < 20 ? "%.1f" : "%.0f", value);
    }

    /** The loads that were measured. */
    List<Load> loads() {
        return List.copyOf(runs.keySet());
    }

    boolean has(Load load, String subject) {
        return runs.getOrDefault(load, Map.of()).containsKey(subject);
    }

    /** A subject's values under a load, in the load's unit, one per round. */
    Series values(Load load, String subject) {
        return series(load, subject, Measured::value);
    }

    /** A value of each round. */
    Series series(Load load, String subject, ToDoubleFunction<Measured> value) {
        return Series.of(runs.getOrDefault(load, Map.of()).getOrDefault(subject, List.of()), value);
    }
}
