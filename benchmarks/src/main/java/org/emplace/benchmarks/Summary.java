// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.util.List;
import java.util.Locale;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.report.BarChart;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/**
 * The summary of the results, for readers who want a single table.
 *
 * @param ours the subject of interest
 * @param usual the usual choice of Java users
 * @param plain the subject that shows the machine's limit
 */
record Summary(Results results, String ours, String usual, String plain) {

    /** A row for each load with results of all three: their medians, and the speed of {@code ours} relative to the others, per round. */
    Table table() {
        Table table = new Table(
                "Call",
                "Unit",
                "Emplace, " + ours,
                usual,
                plain,
                "times " + usual + " (min–max)",
                "times " + plain + " (min–max)");
        for (Load load : loads()) {
            table.row(List.of(
                    load.toString(),
                    load.unit().toString(),
                    median(load, ours),
                    median(load, usual),
                    median(load, plain),
                    speed(load, ours, usual).toText(2),
                    speed(load, ours, plain).toText(2)));
        }
        return table;
    }

    /** For each load a bar for each of the three: its speed relative to {@code usual}. */
    BarChart picture() {
        BarChart chart =
                new BarChart("Speed relative to " + usual + " (= 1)", List.of("Emplace, " + ours, usual, plain));
        for (Load load : loads()) {
            chart.group(
                    load.toString(),
                    List.of(
                            speed(load, ours, usual).median(),
                            1.0,
                            speed(load, plain, usual).median()));
        }
        return chart;
    }

    private List<Load> loads() {
        return results.loads().stream()
                .filter(load -> results.has(load, ours) && results.has(load, usual) && results.has(load, plain))
                .toList();
    }

    private String median(Load load, String subject) {
        String format = load.unit() == Load.Unit.MICROSECONDS ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, results.values(load, subject).median());
    }

    /** How many times as fast one subject is as another, for units of which more is better and of which less is better. */
    private Series speed(Load load, String subject, String other) {
        Series one = results.values(load, subject);
        Series two = results.values(load, other);
        return load.unit() == Load.Unit.MICROSECONDS ? two.dividedBy(one) : one.dividedBy(two);
    }
}
