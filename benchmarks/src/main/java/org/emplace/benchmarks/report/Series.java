// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The values of several runs, in order; never empty. */
public record Series(List<Double> values) {

    /** Copies the list. */
    public Series {
        values = List.copyOf(values);
    }

    /** A value of each run. */
    public static <T> Series of(List<T> runs, ToDoubleFunction<? super T> value) {
        return new Series(runs.stream().map(value::applyAsDouble).toList());
    }

    /** Each value divided by the other series' value of the same run. */
    public Series dividedBy(Series other) {
        return new Series(IntStream.range(0, values.size())
                .mapToObj(run -> values.get(run) / other.values.get(run))
                .toList());
    }

    /** The smallest value. */
    public double min() {
        return sorted().get(0);
    }

    /** The middle value; of two, the lower. */
    public double median() {
        return sorted().get((values.size() - 1) / 2);
    }

    /** The largest value. */
    public double max() {
        return sorted().get(values.size() - 1);
    }

    private List<Double> sorted() {
        return values.stream().sorted().toList();
    }

    /** {@code median (min–max)}, each with this number of decimals. */
    public String toText(int decimals) {
        String number = "%." + decimals + "f";
        return String.format(Locale.ROOT, number + " (" + number + "–" + number + ")", median(), min(), max());
    }
}
