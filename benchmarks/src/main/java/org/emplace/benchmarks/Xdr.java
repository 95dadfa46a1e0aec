// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.emplace.benchmarks.process.LineProgram;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;
import org.emplace.benchmarks.xdr.CodecBenchmark;
import org.emplace.benchmarks.xdr.CodecCost;
import org.emplace.benchmarks.xdr.JmhRun;
import org.emplace.benchmarks.xdr.Sample;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "xdr",
        mixinStandardHelpOptions = true,
        description = {
            "Measures encoding and decoding of four messages by generated code and by the XDR classes of org.acplt:oncrpc, both by JMH, and in"
                    + " C by rpcgen and libtirpc, in turns, and prints Markdown tables. Every program must encode the same bytes. Needs gcc,"
                    + " rpcgen and libtirpc. Takes about nine minutes, with --quick three."
        })
final class Xdr implements Callable<Integer> {

    private static final int QUICK_ROUNDS = 3;
    /** The number of messages in a run of the C program, which needs no warm-up. */
    private static final int MESSAGES = 20_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "Measured runs of each library with each message (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "Warm-up of each JVM (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--run",
            paramLabel = "MILLISECONDS",
            defaultValue = "500",
            description = "Duration of a run in Java (${DEFAULT-VALUE}).")
    private int runMillis;

    @Option(names = "--quick", description = "For a first impression: 3 rounds after a warm-up of 1 s.")
    private boolean quick;

    /** Measures one message once. */
    private interface Run {
        CodecCost of(Sample sample) throws IOException, InterruptedException, RunnerException;
    }

    /**
     * A library to compare.
     *
     * @param name in tables
     */
    private record Library(String name, Run run) {}

    /**
     * The runs with one message.
     *
     * @param runs for each library, in the order of {@link #libraries}
     */
    private record Measured(Sample sample, List<List<CodecCost>> runs) {
        Series micros(int library, ToDoubleFunction<CodecCost> nanos) {
            return new Series(runs.get(library).stream()
                    .map(cost -> nanos.applyAsDouble(cost) / 1e3)
                    .toList());
        }
    }

    private final List<Library> libraries = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        Path folder = Files.createTempDirectory("emplace-xdr");
        Map<String, LineProgram> c = c(folder);
        try {
            JmhRun jmh = new JmhRun(quick ? 1 : warmUpSeconds, runMillis);
            libraries.add(new Library("Emplace", sample -> jmh.measure(CodecBenchmark.EMPLACE, sample)));
            libraries.add(new Library("org.acplt:oncrpc", sample -> jmh.measure(CodecBenchmark.ONCRPC, sample)));
            libraries.add(new Library(
                    "libtirpc", sample -> measure(Objects.requireNonNull(c.get(sample.name())), sample)));
            System.out.println(Machine.describe());
            List<Measured> measured = new ArrayList<>();
            for (Sample sample : Sample.ALL) {
                measured.add(measure(sample));
                System.err.println("measured " + sample.title());
            }
            System.out.println(times("Encode", measured, CodecCost::encodeNanos));
            System.out.println(times("Decode", measured, CodecCost::decodeNanos));
            System.out.println(allocations(measured));
            return 0;
        } finally {
            for (LineProgram program : c.values()) {
                program.close();
            }
            Folders.delete(folder);
        }
    }

    private static CodecCost measure(LineProgram program, Sample sample) throws IOException, InterruptedException {
        return CodecCost.parse(program.ask(sample.name() + " " + MESSAGES));
    }

    private static Map<String, LineProgram> c(Path folder) throws IOException, InterruptedException {
        Map<String, LineProgram> programs = new HashMap<>();
        for (Sample sample : Sample.ALL) {
            Path protocol = Sources.file(sample.protocol());
            String name = sample.name();
            Files.copy(protocol, folder.resolve(name + ".x"));
            Sources.run(folder, "rpcgen", "-h", "-o", name + ".h", name + ".x");
            Sources.run(folder, "rpcgen", "-c", "-o", name + "_xdr.c", name + ".x");
            Sources.run(
                    folder,
                    "gcc",
                    "-O2",
                    "-I.",
                    "-I/usr/include/tirpc",
                    "-DHEADER=\"" + name + ".h\"",
                    "-DTYPE=" + sample.xdrType(),
                    "-o",
                    name,
                    Sources.file("benchmarks/src/main/native/xdr_codec.c").toString(),
                    name + "_xdr.c",
                    "-ltirpc");
            Path message = Files.write(folder.resolve(name + ".message"), sample.bytes());
            LineProgram program = LineProgram.start(
                    "xdr_codec of " + name, List.of(folder.resolve(name).toString(), message.toString()));
            programs.put(sample.name(), program);
            program.answer();
        }
        return programs;
    }

    /** Runs every library once in each round, so that other activity of the machine affects all alike. */
    private Measured measure(Sample sample) throws IOException, InterruptedException, RunnerException {
        List<List<CodecCost>> ofSample = new ArrayList<>();
        libraries.forEach(library -> ofSample.add(new ArrayList<>()));
        for (int round = 0; round < (quick ? QUICK_ROUNDS : rounds); round++) {
            for (int i = 0; i < libraries.size(); i++) {
                ofSample.get(i).add(libraries.get(i).run().of(sample));
            }
        }
        return new Measured(sample, ofSample);
    }

    private Table times(String what, List<Measured> measured, ToDoubleFunction<CodecCost> nanos) {
        List<String> heads = new ArrayList<>(List.of(what + ", µs"));
        libraries.forEach(library -> heads.add(library.name()));
        libraries.stream().skip(1).forEach(peer -> heads.add("beside " + peer.name()));
        Table table = new Table(heads.toArray(String[]::new));
        for (Measured each : measured) {
            List<String> row = new ArrayList<>(List.of(each.sample().title()));
            for (int i = 0; i < libraries.size(); i++) {
                row.add(each.micros(i, nanos).toText(2));
            }
            for (int peer = 1; peer < libraries.size(); peer++) {
                row.add(each.micros(0, nanos)
                        .dividedBy(each.micros(peer, nanos))
                        .toText(2));
            }
            table.row(row);
        }
        return table;
    }

    private Table allocations(List<Measured> measured) {
        List<String> heads = new ArrayList<>(List.of("Bytes allocated, to encode and to decode", "Message"));
        libraries.forEach(library -> heads.add(library.name()));
        Table table = new Table(heads.toArray(String[]::new));
        for (Measured each : measured) {
            Sample sample = each.sample();
            List<String> row = new ArrayList<>(List.of(sample.title(), String.valueOf(sample.bytes().length)));
            for (List<CodecCost> runs : each.runs()) {
                CodecCost last = runs.get(runs.size() - 1);
                row.add(Math.round(last.encodeAllocated()) + ", " + Math.round(last.decodeAllocated()));
            }
            table.row(row);
        }
        return table;
    }
}
