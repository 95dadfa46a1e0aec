// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.process.ConnectionPair;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/** Measures how many connections are set up per second, and the memory of an idle connection. */
record IdleConnections(Rounds rounds) {
    private static final int CONNECTIONS = 1000;
    /** Connections opened first in each round and not measured, because the first of them allocate memory that all share. */
    private static final int FIRST = 64;

    private record Round(double rate, Footprint footprint) {}

    Table measure() throws IOException, InterruptedException {
        Map<ConnectionKind, List<Round>> measured = new LinkedHashMap<>();
        Map<ConnectionKind, ConnectionPair> pairs = new LinkedHashMap<>();
        try {
            for (ConnectionKind kind : ConnectionKind.ALL) {
                pairs.put(kind, ConnectionPair.start(kind.scheme(), kind.options(rounds)));
                measured.put(kind, new ArrayList<>());
            }
            // An extra first round lets the JVMs compile the code.
            for (int round = -1; round < rounds.number(); round++) {
                for (Map.Entry<ConnectionKind, ConnectionPair> pair : pairs.entrySet()) {
                    Round result = round(pair.getValue());
                    if (round >= 0) {
                        measured.getOrDefault(pair.getKey(), List.of()).add(result);
                    }
                }
                System.err.println("measured idle connections, round " + (round + 1));
            }
        } finally {
            for (ConnectionPair pair : pairs.values()) {
                pair.close();
            }
        }
        return table(measured);
    }

    private static Round round(ConnectionPair pair) throws IOException, InterruptedException {
        pair.open(FIRST);
        Footprint before = pair.footprint();
        double rate = pair.open(CONNECTIONS);
        Footprint more = pair.footprint().minus(before);
        pair.closeConnections();
        return new Round(rate, more.dividedBy(CONNECTIONS));
    }

    private static Table table(Map<ConnectionKind, List<Round>> measured) {
        Table table = new Table(
                "A connection",
                "set up a second",
                "idle: bytes of heap, both ends",
                "bytes of direct memory, both ends",
                "bytes in all");
        measured.forEach((kind, all) -> table.row(List.of(
                kind.name(),
                Series.of(all, Round::rate).toText(0),
                Series.of(all, round -> round.footprint().heap()).toText(0),
                Series.of(all, round -> round.footprint().direct()).toText(0),
                Series.of(all, round -> round.footprint().bytes()).toText(0))));
        return table;
    }
}
