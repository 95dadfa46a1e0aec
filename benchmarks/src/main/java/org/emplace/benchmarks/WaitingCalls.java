// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.process.ConnectionPair;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;

/** Measures the memory of a waiting call, with many calls on one connection that the server does not answer. */
record WaitingCalls(Rounds rounds) {
    private static final int CALLS = 20_000;

    Table measure() throws IOException, InterruptedException {
        Table table = new Table(
                "One of 20,000 calls that wait", "bytes of heap, both ends", "bytes of direct memory, both ends");
        for (ConnectionKind kind : ConnectionKind.ALL) {
            if (kind.hasCalls()) {
                List<Footprint> footprints = new ArrayList<>();
                for (int round = 0; round < rounds.number(); round++) {
                    footprints.add(round(kind));
                }
                table.row(List.of(
                        kind.name(),
                        Series.of(footprints, Footprint::heap).toText(0),
                        Series.of(footprints, Footprint::direct).toText(0)));
                System.err.println("measured waiting calls: " + kind.name());
            }
        }
        return table;
    }

    private Footprint round(ConnectionKind kind) throws IOException, InterruptedException {
        try (ConnectionPair pair = ConnectionPair.start(kind.scheme(), kind.options(rounds))) {
            pair.open(1);
            Footprint before = pair.footprint();
            pair.hold(CALLS);
            Footprint more = pair.footprint().minus(before);
            pair.release();
            return more.dividedBy(CALLS);
        }
    }
}
