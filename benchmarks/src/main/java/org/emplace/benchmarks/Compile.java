// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.XdrCompiler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "compile",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the time to compile NFS versions 3 and 4.2: by xdrc in a new process, in a JVM that has compiled it before (as in a build that"
                    + " keeps running), and by rpcgen with all of its output files, in turns. Needs rpcgen and bash. Prints a Markdown table."
        })
final class Compile implements Callable<Integer> {

    /** Runs its arguments, and writes their processor time as user and as system, in seconds. */
    private static final String TIMED = "TIMEFORMAT='%3U %3S'; { time \"$@\" 2>&3; } 3>&2 2>times";

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "9",
            description = "Measured runs of each (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "40",
            description = "Number of compilations in the JVM before it is measured (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--protocol", paramLabel = "FILE", description = "Another protocol to measure.")
    private List<Path> protocols = new ArrayList<>();

    /** What a run took, in milliseconds; the processor time of its process. */
    private record Run(double clock, double processor) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Table table =
                new Table("Compiled", "ms, median (min–max)", "beside rpcgen", "ms of processor time", "beside rpcgen");
        List<Path> all = Stream.concat(
                        Stream.of(Sources.file("spec/nfs3.x"), Sources.file("spec/nfs42.x")), protocols.stream())
                .toList();
        for (Path protocol : all) {
            measure(protocol, table);
        }
        System.out.println(Machine.describe());
        System.out.println(table);
        return 0;
    }

    private void measure(Path protocol, Table table) throws IOException, InterruptedException {
        for (int i = 0; i < warmUp; i++) {
            warm(protocol);
        }
        String xdrc = Sources.file("xdr-compiler/bin/xdrc").toString();
        List<Run> cold = new ArrayList<>();
        List<Double> warm = new ArrayList<>();
        List<Run> rpcgen = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            cold.add(process(protocol, xdrc, "compile", "--package", "p", "--output", "out"));
            warm.add(warm(protocol));
            rpcgen.add(process(protocol, "rpcgen"));
        }
        Series clock = Series.of(rpcgen, Run::clock);
        Series processor = Series.of(rpcgen, Run::processor);
        String name = name(protocol);
        addRow(
                table,
                name + " by xdrc",
                Series.of(cold, Run::clock),
                clock,
                Series.of(cold, Run::processor),
                processor);
        table.row(List.of(
                name + " in a warm JVM",
                new Series(warm).toText(0),
                new Series(warm).dividedBy(clock).toText(2),
                "",
                ""));
        addRow(table, name + " by rpcgen", clock, clock, processor, processor);
    }

    private static void addRow(
            Table table, String name, Series clock, Series otherClock, Series processor, Series otherProcessor) {
        table.row(List.of(
                name,
                clock.toText(0),
                clock.dividedBy(otherClock).toText(2),
                processor.toText(0),
                processor.dividedBy(otherProcessor).toText(2)));
    }

    private static Run process(Path protocol, String... command) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("emplace-compile");
        try {
            Files.copy(protocol, folder.resolve(name(protocol)));
            String[] timed = Stream.of(
                            Stream.of("bash", "-c", TIMED, "bash"), Stream.of(command), Stream.of(name(protocol)))
                    .flatMap(words -> words)
                    .toArray(String[]::new);
            long begin = System.nanoTime();
            Sources.run(folder, timed);
            double clock = (System.nanoTime() - begin) / 1e6;
            double seconds = Stream.of(
                            Files.readString(folder.resolve("times")).strip().split(" "))
                    .mapToDouble(Double::parseDouble)
                    .sum();
            return new Run(clock, seconds * 1000);
        } finally {
            Folders.delete(folder);
        }
    }

    private static double warm(Path protocol) {
        long begin = System.nanoTime();
        CompileResult result = XdrCompiler.compile(
                new CompileRequest(List.of(new CompileRequest.Source(protocol, name(protocol))), "p"));
        if (result.failed()) {
            throw new IllegalStateException("nothing was generated from " + protocol);
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    private static String name(Path protocol) {
        return protocol.getFileName().toString();
    }
}
