// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.Placement;
import org.emplace.benchmarks.process.Subjects;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/** Compares the same number of calls in flight over one connection and over many. */
record CallsOverConnections(Rounds rounds) {
    private static final List<Integer> CONNECTIONS = List.of(1, 100, 1000);
    private static final Load LOAD = new Load(Operation.NULL, 0, 64, 64);

    /** Measures each number of connections of each kind as a subject of its own, so that all take turns. */
    Table measure() throws IOException, InterruptedException {
        Results results = new Results();
        try (Subjects subjects = new Subjects()) {
            for (ConnectionKind kind : ConnectionKind.ALL) {
                for (int number : CONNECTIONS) {
                    String scheme = kind.scheme();
                    subjects.add(JavaPair.start(
                            named(kind, number),
                            "127.0.0.1",
                            scheme,
                            scheme,
                            number,
                            Placement.ANYWHERE,
                            kind.options(rounds)));
                }
            }
            rounds.measure(List.of(LOAD), subjects.all(), results);
        }
        return table(results);
    }

    private static String named(ConnectionKind kind, int connections) {
        return kind.name() + ", " + connections;
    }

    private static Table table(Results results) {
        Table table = new Table(
                LOAD + " in all, calls/s",
                "over 1 connection",
                "over 100",
                "over 1,000",
                "100 beside 1",
                "1,000 beside 1");
        for (ConnectionKind kind : ConnectionKind.ALL) {
            if (!CONNECTIONS.stream().allMatch(number -> results.has(LOAD, named(kind, number)))) {
                continue;
            }
            List<Series> rates = CONNECTIONS.stream()
                    .map(number -> results.values(LOAD, named(kind, number)))
                    .toList();
            List<String> row = new ArrayList<>(List.of(kind.name()));
            rates.forEach(rate -> row.add(rate.toText(0)));
            rates.stream()
                    .skip(1)
                    .forEach(rate -> row.add(rate.dividedBy(rates.get(0)).toText(2)));
            table.row(row);
        }
        return table;
    }
}
