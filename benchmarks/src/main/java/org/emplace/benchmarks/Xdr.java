// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.emplace.benchmarks.xdr.CodecCost;
import org.emplace.benchmarks.xdr.CodecProgram;
import org.emplace.benchmarks.xdr.Sample;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "xdr",
        mixinStandardHelpOptions = true,
        description = {
            "Measures encoding and decoding of three messages by generated code, by the XDR classes of org.acplt:oncrpc, and in C by rpcgen"
                    + " and libtirpc, in turns, and prints tables in Markdown. Every program has to code the same bytes. Needs gcc, rpcgen and"
                    + " libtirpc. Takes some minutes."
        })
final class Xdr implements Callable<Integer> {

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "9",
            description = "Measured runs of each library with each message (${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long each library runs with each message before it is measured (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Messages encoded and decoded in a run (${DEFAULT-VALUE}).")
    private int messages;

    /**
     * What is compared.
     *
     * @param name in tables
     * @param programs by the name of the sample that they code; one may code several
     */
    private record Library(String name, Map<String, LineProgram> programs) {
        CodecCost run(Sample sample, int messages) throws IOException, InterruptedException {
            LineProgram program = Objects.requireNonNull(programs.get(sample.name()));
            return CodecCost.parse(program.ask(sample.name() + " " + messages));
        }

        void close() throws IOException {
            for (LineProgram program : programs.values()) {
                program.close();
            }
        }
    }

    /**
     * The runs with one message.
     *
     * @param runs of each library, in the order of {@link #libraries}
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
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("emplace-xdr");
        try {
            libraries.add(new Library("Emplace", java("emplace")));
            libraries.add(new Library("org.acplt:oncrpc", java("oncrpc")));
            libraries.add(new Library("libtirpc", c(folder)));
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
            for (Library library : libraries) {
                library.close();
            }
            Folders.delete(folder);
        }
    }

    private static Map<String, LineProgram> java(String library) throws IOException, InterruptedException {
        LineProgram program = LineProgram.java(CodecProgram.class, List.of(), library);
        program.answer();
        Map<String, LineProgram> programs = new HashMap<>();
        for (Sample sample : Sample.ALL) {
            programs.put(sample.name(), program);
        }
        return programs;
    }

    private static Map<String, LineProgram> c(Path folder) throws IOException, InterruptedException {
        Map<String, LineProgram> programs = new HashMap<>();
        for (Sample sample : Sample.ALL) {
            Path protocol = Sources.file(sample.protocol());
            Path copy = Files.copy(protocol, folder.resolve(protocol.getFileName()));
            String name = copy.getFileName().toString().replaceFirst("\\.x$", "");
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

    /** In each round every library has a run, so that what disturbs the machine disturbs all alike. */
    private Measured measure(Sample sample) throws IOException, InterruptedException {
        List<List<CodecCost>> ofSample = new ArrayList<>();
        for (Library library : libraries) {
            long end = System.nanoTime() + Duration.ofSeconds(warmUpSeconds).toNanos();
            do {
                library.run(sample, messages);
            } while (System.nanoTime() < end);
            ofSample.add(new ArrayList<>());
        }
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < libraries.size(); i++) {
                ofSample.get(i).add(libraries.get(i).run(sample, messages));
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
