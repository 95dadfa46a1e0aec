// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.FileAnalysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.document.BindingDocument;
import org.emplace.compiler.source.FileFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xdrc document}: documents an Upper Layer Binding. */
@Command(
        name = "document",
        description = "Documents the Upper Layer Binding of .x files, with a drawing of each call and reply.",
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
            description = "the document; HTML if its name ends in .html, Markdown if it ends in .md")
    private Path output = Path.of("");

    @Option(names = "--title", paramLabel = "TEXT", defaultValue = "Upper Layer Binding", description = "its title")
    private String title = "";

    @Mixin
    private final Input input = new Input();

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
        try (input) {
            FileAnalysis read = XdrCompiler.analyze(input.sources(), input.options());
            int status = input.report(read.analysis().diagnostics(), read.files(), err);
            return status == ExitStatus.OK ? write(read.analysis().meaning().orElseThrow()) : Integer.valueOf(status);
        }
    }

    private int write(Analysis.Meaning meaning) {
        if (meaning.protocol().programs().isEmpty()) {
            err.println("xdrc document: these files define no program, so there is no binding to document");
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
