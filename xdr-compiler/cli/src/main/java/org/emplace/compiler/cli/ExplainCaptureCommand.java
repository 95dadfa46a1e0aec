// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.capture.CaptureExplainer.MalformedCapture;
import org.emplace.compiler.capture.CaptureExplainer;
import org.emplace.compiler.javamodel.JavaModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xdrc explain-capture}: explains a capture of RPC-over-RDMA. */
@Command(
        name = "explain-capture",
        description =
                "Explains a capture of RPC-over-RDMA over iWARP or RoCE version 2: each message, the items that its"
                        + " chunks carry, and which rules are broken.")
final class ExplainCaptureCommand extends Subcommand {

    private static final int VIOLATIONS = 1;

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

    @Override
    public Integer call() throws IOException {
        try (imported) {
            Analysis read = XdrCompiler.analyze(
                    imported.with(files.stream().map(Input::source).toList()), reading.options());
            reporting.showErrors(read.diagnostics(), read.files(), err());
            int status = ExitStatus.ofQuestion(read.diagnostics());
            return status == ExitStatus.OK ? explain(read.meaning().orElseThrow()) : Integer.valueOf(status);
        }
    }

    private int explain(JavaModel meaning) throws IOException {
        try (InputStream in = Files.newInputStream(capture)) {
            long violations =
                    CaptureExplainer.explain(in, meaning.protocol(), meaning.binding(), violationsOnly, out()::println);
            return violations > 0 ? VIOLATIONS : ExitStatus.OK;
        } catch (MalformedCapture e) {
            out().flush();
            return fail(ExitStatus.IO_FAILURE, "cannot read " + capture + " further: " + e.getMessage());
        }
    }
}
