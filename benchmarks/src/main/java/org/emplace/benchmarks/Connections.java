// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Operation;
import org.emplace.benchmarks.process.ConnectionPair;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.Subjects;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "connections",
        mixinStandardHelpOptions = true,
        description = {
            "Measures connections between two JVMs on loopback, of software iWARP with CRC32C, Emplace's TCP transport, gRPC and plain"
                    + " sockets, in turns: NULL calls over 1, 100 and 1,000 of them, with as many calls in flight in all; how many are set up"
                    + " in a second; the memory of an idle one, and that of a call that waits. Prints tables in Markdown. Takes some minutes."
        })
final class Connections implements Callable<Integer> {
    private static final List<Integer> NUMBERS = List.of(1, 100, 1000);
    private static final int IN_FLIGHT = 64;
    private static final int IDLE = 1000;
    private static final int WAITING = 20_000;

    /**
     * What has connections.
     *
     * @param name in tables
     * @param holds whether it has calls that can be held
     */
    private record Kind(String name, String scheme, boolean holds, List<String> options) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("iWARP with CRC32C", "rdma", true, List.of("-Dorg.emplace.rdma.provider=iwarp")),
            new Kind("TCP transport", "tcp", true, List.of()),
            new Kind("gRPC-Java", "grpc", true, List.of()),
            new Kind("plain sockets", "raw", false, List.of()));

    @Mixin
    private Rounds rounds = new Rounds();

    @Override
    public Integer call() throws IOException, InterruptedException {
        System.out.println(Machine.describe());
        rates();
        idle();
        waiting();
        return 0;
    }

    private static String named(Kind kind, int connections) {
        return kind.name() + ", " + connections;
    }

    /** Each number of connections of each kind is a subject of its own, so that all of them take turns. */
    private void rates() throws IOException, InterruptedException {
        Load load = new Load(Operation.NULL, 0, IN_FLIGHT, IN_FLIGHT);
        Results results = new Results();
        try (Subjects subjects = new Subjects()) {
            for (Kind kind : KINDS) {
                for (int number : NUMBERS) {
                    subjects.add(JavaPair.start(
                            named(kind, number), "127.0.0.1", kind.scheme(), kind.scheme(), number, options(kind)));
                }
            }
            rounds.measure(List.of(load), subjects.all(), results);
        }
        Table table =
                new Table(load + " in all, calls/s", "1 connection", "100", "1,000", "100 beside 1", "1,000 beside 1");
        for (Kind kind : KINDS) {
            List<Series> series = new ArrayList<>();
            NUMBERS.forEach(number -> series.add(results.values(load, named(kind, number))));
            List<String> row = new ArrayList<>(List.of(kind.name()));
            series.forEach(each -> row.add(each.toText(0)));
            series.stream()
                    .skip(1)
                    .forEach(each -> row.add(each.dividedBy(series.get(0)).toText(2)));
            table.row(row);
        }
        System.out.println(table);
    }

    /** The first connections of a process are left out: with them comes what all share. */
    private void idle() throws IOException, InterruptedException {
        Table table = new Table(
                "A connection",
                "set up a second",
                "heap of both ends, idle",
                "direct memory of both ends, idle",
                "bytes in all");
        for (Kind kind : KINDS) {
            List<Double> rates = new ArrayList<>();
            List<Footprint> footprints = new ArrayList<>();
            try (ConnectionPair pair = ConnectionPair.start(kind.scheme(), options(kind))) {
                for (int round = -1; round < rounds.number(); round++) {
                    pair.open(IN_FLIGHT);
                    Footprint before = pair.footprint();
                    double rate = pair.open(IDLE);
                    Footprint more = pair.footprint().minus(before);
                    pair.closeConnections();
                    if (round >= 0) {
                        rates.add(rate);
                        footprints.add(more);
                    }
                }
            }
            table.row(List.of(
                    kind.name(),
                    new Series(rates).toText(0),
                    each(footprints, IDLE, Footprint::heap),
                    each(footprints, IDLE, Footprint::direct),
                    each(footprints, IDLE, Footprint::bytes)));
            System.err.println("measured idle connections: " + kind.name());
        }
        System.out.println(table);
    }

    private void waiting() throws IOException, InterruptedException {
        Table table =
                new Table("A call that waits, one of " + WAITING, "heap of both ends", "direct memory of both ends");
        for (Kind kind : KINDS) {
            if (!kind.holds()) {
                continue;
            }
            List<Footprint> footprints = new ArrayList<>();
            for (int round = 0; round < rounds.number(); round++) {
                try (ConnectionPair pair = ConnectionPair.start(kind.scheme(), options(kind))) {
                    pair.open(1);
                    Footprint before = pair.footprint();
                    pair.hold(WAITING);
                    footprints.add(pair.footprint().minus(before));
                    pair.release();
                }
            }
            table.row(List.of(
                    kind.name(),
                    each(footprints, WAITING, Footprint::heap),
                    each(footprints, WAITING, Footprint::direct)));
            System.err.println("measured waiting calls: " + kind.name());
        }
        System.out.println(table);
    }

    private List<String> options(Kind kind) {
        return rounds.javaOptions(kind.options().toArray(String[]::new));
    }

    private static String each(List<Footprint> footprints, int number, ToDoubleFunction<Footprint> bytes) {
        return new Series(footprints.stream()
                        .map(footprint -> bytes.applyAsDouble(footprint) / number)
                        .toList())
                .toText(0);
    }
}
