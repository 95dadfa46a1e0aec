// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.FileAnalysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.document.BindingDocument;
import org.emplace.compiler.source.FileFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xdrc document}: the Upper Layer Binding as a document. */
@Command(
        name = "document",
        description = "Writes the Upper Layer Binding of .x files as a document: a drawing of each call and reply.",
        version = Xdrc.VERSION,
        mixinStandardHelpOptions = true)
final class DocumentCommand implements Callable<Integer> {

    private static final String HTML = ".html";

    private final PrintWriter out;
    private final PrintWriter err;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            required = true,
            description = "the document: HTML if its name ends in .html, Markdown if it ends in .md")
    private Path output = Path.of("");

    @Option(names = "--title", paramLabel = "TEXT", defaultValue = "Upper Layer Binding", description = "its title")
    private String title = "";

    @Mixin
    private Reading reading = new Reading();

    @Mixin
    private final ImportedFiles imported = new ImportedFiles();

    @Mixin
    private Strictness strictness = new Strictness();

    @Mixin
    private Reporting reporting = new Reporting();

    @Mixin
    private SourceFiles files = new SourceFiles();

    DocumentCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        String name = output.toString();
        if (!name.endsWith(HTML) && !name.endsWith(".md")) {
            err.println("xdrc document: " + name + " ends neither in .html nor in .md; try xdrc document --help");
            return ExitStatus.USAGE;
        }
        try (imported) {
            FileAnalysis read = XdrCompiler.analyze(imported.with(files.all()), reading.options());
            List<Diagnostic> diagnostics = strictness.judge(read.analysis().diagnostics());
            reporting.show(diagnostics, read.files(), err);
            int status = ExitStatus.of(diagnostics);
            return status == ExitStatus.OK ? write(read.analysis().meaning().orElseThrow()) : Integer.valueOf(status);
        }
    }

    private int write(Analysis.Meaning meaning) {
        if (meaning.protocol().programs().isEmpty()) {
            err.println("xdrc document: there is no program in these files, and so no binding to write of");
            return ExitStatus.INPUT_ERRORS;
        }
        String document = output.toString().endsWith(HTML)
                ? BindingDocument.html(meaning.protocol(), meaning.binding(), title)
                : BindingDocument.markdown(meaning.protocol(), meaning.binding(), title);
        try {
            Files.writeString(output, document);
        } catch (IOException e) {
            err.println("xdrc document: cannot write " + output + ": " + FileFailure.reason(e));
            return ExitStatus.IO_FAILURE;
        }
        out.println(output.toString());
        return ExitStatus.OK;
    }
}
