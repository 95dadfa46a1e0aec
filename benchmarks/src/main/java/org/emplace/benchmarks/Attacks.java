// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.emplace.benchmarks.client.Attack;
import org.emplace.benchmarks.client.AttackProgram;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.LineProgram;
import org.emplace.benchmarks.process.Measured;
import org.emplace.benchmarks.process.Placement;
import org.emplace.benchmarks.process.Subject;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;
import org.emplace.benchmarks.server.ServerProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "attacks",
        mixinStandardHelpOptions = true,
        description = {
            "Measures what attacks on a server cost a client at another address, over TCP and software iWARP. The client reads 4 KiB at a time, by itself,"
                    + " while the attackers send to a program that only reads and discards, and while they attack the client's server, all in turns."
                    + " Server, client, attackers and that program are JVMs on loopback. Prints Markdown tables. Takes about a quarter of an hour."
        })
final class Attacks implements Callable<Integer> {
    private static final Load LOAD = new Load(Operation.READ, 4096, 1, 1);
    /** The kinds of connection that are attacked. */
    private static final List<ConnectionKind> KINDS = ConnectionKind.ALL.subList(0, 2);

    /** What the columns show. */
    private static final List<ToDoubleFunction<Measured>> VALUES = List.of(
            Attacks::median,
            measured -> measured.outcome().latency().p99() / 1e3,
            measured -> measured.outcome().latency().worst() / 1e3,
            Attacks::rate);

    /** Where the attackers send. */
    private enum Target {
        NONE("undisturbed"),
        DISCARD("sent to a program that discards"),
        SERVER("sent to the server");

        private final String title;

        Target(String title) {
            this.title = title;
        }
    }

    @Mixin
    private Rounds rounds = new Rounds();

    @Override
    public Integer call() throws IOException, InterruptedException {
        System.out.println(Machine.describe());
        for (ConnectionKind kind : KINDS) {
            System.out.println(measure(kind));
        }
        return 0;
    }

    private Table measure(ConnectionKind kind) throws IOException, InterruptedException {
        Table table = new Table(
                kind.name(),
                "",
                "half of the calls, µs",
                "99 %, µs",
                "worst, µs",
                "calls/s",
                "µs, ratio",
                "calls/s, ratio");
        String scheme = kind.scheme();
        List<String> options = kind.options(rounds);
        try (JavaPair pair = JavaPair.start("server", "127.0.0.1", scheme, scheme, 1, Placement.ANYWHERE, options);
                LineProgram discard =
                        LineProgram.java(ServerProgram.class, List.of(), options, "discard://127.0.0.1:0");
                LineProgram attackers = LineProgram.java(AttackProgram.class, List.of(), options)) {
            int discarding = Integer.parseInt(discard.answer().replace("listening ", ""));
            attackers.answer();
            for (Attack attack : Attack.values()) {
                String start = "start " + attack.name() + " " + scheme;
                Attacked discarded =
                        new Attacked(kind, attack, Target.DISCARD, pair, attackers, start + "-discard " + discarding);
                List<Attacked> subjects = List.of(
                        new Attacked(kind, attack, Target.NONE, pair, attackers, ""),
                        discarded,
                        new Attacked(kind, attack, Target.SERVER, pair, attackers, start + " " + pair.port()));
                Results results = new Results();
                rounds.measure(List.of(LOAD), subjects, results);
                for (Attacked subject : subjects) {
                    if (results.has(LOAD, subject.name())) {
                        table.row(row(subject, discarded, results));
                    }
                }
            }
        }
        return table;
    }

    private static double median(Measured measured) {
        return measured.outcome().latency().median() / 1e3;
    }

    private static double rate(Measured measured) {
        return measured.load().calls() * 1e9 / measured.outcome().nanos();
    }

    private static List<String> row(Attacked subject, Attacked discarded, Results results) {
        List<String> row = new ArrayList<>(List.of(subject.attack().title(), subject.target().title));
        VALUES.forEach(
                value -> row.add(results.series(LOAD, subject.name(), value).toText(0)));
        for (ToDoubleFunction<Measured> value : List.<ToDoubleFunction<Measured>>of(Attacks::median, Attacks::rate)) {
            boolean compared = subject.target() == Target.SERVER && results.has(LOAD, discarded.name());
            Series ours = results.series(LOAD, subject.name(), value);
            row.add(
                    compared
                            ? ours.dividedBy(results.series(LOAD, discarded.name(), value))
                                    .toText(2)
                            : "");
        }
        return row;
    }

    /** The client and its server during an attack. */
    private record Attacked(
            ConnectionKind kind, Attack attack, Target target, JavaPair pair, LineProgram attackers, String start)
            implements Subject {
        @Override
        public String name() {
            return String.format(Locale.ROOT, "%s, %s, %s", kind.name(), attack.title(), target.title);
        }

        @Override
        public boolean takes(Load load) {
            return true;
        }

        @Override
        public boolean warmsUp() {
            return true;
        }

        @Override
        public Measured measure(Load load) throws IOException, InterruptedException {
            if (target == Target.NONE) {
                return pair.measure(load);
            }
            String started = attackers.ask(start);
            try {
                if (!started.equals("started")) {
                    throw new IOException(started);
                }
                return pair.measure(load);
            } finally {
                attackers.ask("stop");
            }
        }

        /** The pair is closed with the other programs. */
        @Override
        public void close() {}
    }
}
