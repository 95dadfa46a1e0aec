// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.util.List;
import java.util.Locale;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.report.BarChart;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/**
 * The results for those who read only one table.
 *
 * @param ours the subject of interest
 * @param usual what a Java user would otherwise take
 * @param plain what the machine can do
 */
record Summary(Results results, String ours, String usual, String plain) {

    /** A row for each load under which all three were measured; the medians, and how many times as fast ours is, by rounds. */
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

    /** For each load a bar for each of the three: how many times as fast as the usual one it is. */
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

    /** How many times as fast one is as another: where less is better, the other way round. */
    private Series speed(Load load, String subject, String other) {
        Series one = results.values(load, subject);
        Series two = results.values(load, other);
        return load.unit() == Load.Unit.MICROSECONDS ? two.dividedBy(one) : one.dividedBy(two);
    }
}
