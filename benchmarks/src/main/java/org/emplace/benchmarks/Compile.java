// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
            "Measures the time to compile NFS version 4.2: by xdrc in a new process, in a JVM that has compiled it before (as in a build that"
                    + " keeps running), and by rpcgen with all of its output files, in turns. Needs rpcgen. Prints a Markdown table."
        })
final class Compile implements Callable<Integer> {
    private static final String PROTOCOL = "spec/nfs42.x";

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

    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (int i = 0; i < warmUp; i++) {
            warm();
        }
        List<Double> cold = new ArrayList<>();
        List<Double> warm = new ArrayList<>();
        List<Double> rpcgen = new ArrayList<>();
        for (int run = 0; run < rounds; run++) {
            cold.add(inNewFolder(Compile::cold));
            warm.add(millis(Compile::warm));
            rpcgen.add(inNewFolder(Compile::rpcgen));
        }
        Table table = new Table("NFSv4.2 compiled by", "ms, median (min–max)", "beside rpcgen");
        addRow(table, "xdrc, a new process", cold, rpcgen);
        addRow(table, "the compiler in a warm JVM", warm, rpcgen);
        addRow(table, "rpcgen", rpcgen, rpcgen);
        System.out.println(Machine.describe());
        System.out.println(table);
        return 0;
    }

    private static void addRow(Table table, String name, List<Double> millis, List<Double> rpcgen) {
        Series series = new Series(millis);
        table.row(List.of(
                name, series.toText(0), series.dividedBy(new Series(rpcgen)).toText(2)));
    }

    private interface InFolder {
        void run(Path folder) throws IOException, InterruptedException;
    }

    private static double inNewFolder(InFolder action) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("emplace-compile");
        try {
            Files.copy(Sources.file(PROTOCOL), folder.resolve("nfs42.x"));
            return millis(() -> action.run(folder));
        } finally {
            Folders.delete(folder);
        }
    }

    private static double millis(Action action) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        action.run();
        return (System.nanoTime() - begin) / 1e6;
    }

    private static void cold(Path folder) throws IOException, InterruptedException {
        Sources.run(
                folder,
                Sources.file("xdr-compiler/bin/xdrc").toString(),
                "compile",
                "--package",
                "nfs42",
                "--output",
                "out",
                "nfs42.x");
    }

    private static void warm() {
        CompileResult result = XdrCompiler.compile(
                new CompileRequest(List.of(new CompileRequest.Source(Sources.file(PROTOCOL), "nfs42.x")), "nfs42"));
        if (result.failed()) {
            throw new IllegalStateException("nothing was generated from " + PROTOCOL);
        }
    }

    private static void rpcgen(Path folder) throws IOException, InterruptedException {
        Sources.run(folder, "rpcgen", "nfs42.x");
    }
}
