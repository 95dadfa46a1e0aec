// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.FileAnalysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.capture.CaptureExplainer;
import org.emplace.compiler.capture.MalformedCapture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xdrc explain-capture}: explains a capture of RPC-over-RDMA. */
@Command(
        name = "explain-capture",
        description =
                "Explains a capture of RPC-over-RDMA over iWARP or RoCE version 2: each message, the items that its"
                        + " chunks carry, and which rules are broken.",
        version = Xdrc.VERSION,
        mixinStandardHelpOptions = true)
final class ExplainCaptureCommand implements Callable<Integer> {

    private static final int VIOLATIONS = 1;

    private final PrintWriter out;
    private final PrintWriter err;

    @Parameters(index = "0", paramLabel = "CAPTURE", description = "the capture, pcap or pcapng")
    private Path capture = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "FILE",
            description =
                    "the .x files of the programs in the capture; without its file, a program's items have no names")
    private List<Path> files = List.of();

    @Option(names = "--violations", description = "shows only messages that break a rule")
    private boolean violationsOnly;

    @Mixin
    private final ImportedFiles imported = new ImportedFiles();

    @Mixin
    private Reading reading = new Reading();

    @Mixin
    private Reporting reporting = new Reporting();

    ExplainCaptureCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        try (imported) {
            FileAnalysis read = XdrCompiler.analyze(
                    imported.with(files.stream().map(Input::source).toList()), reading.options());
            reporting.showErrors(read.analysis().diagnostics(), read.files(), err);
            int status = ExitStatus.ofQuestion(read.analysis().diagnostics());
            return status == ExitStatus.OK ? explain(read.analysis().meaning().orElseThrow()) : Integer.valueOf(status);
        }
    }

    private int explain(Analysis.Meaning meaning) throws IOException {
        try (InputStream in = Files.newInputStream(capture)) {
            long violations =
                    CaptureExplainer.explain(in, meaning.protocol(), meaning.binding(), violationsOnly, out::println);
            return violations > 0 ? VIOLATIONS : ExitStatus.OK;
        } catch (MalformedCapture e) {
            out.flush();
            err.println("xdrc explain-capture: cannot read " + capture + " further: " + e.getMessage());
            return ExitStatus.IO_FAILURE;
        }
    }
}
