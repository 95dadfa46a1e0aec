// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.document.BindingDocument;
import org.emplace.compiler.javamodel.JavaModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xdrc document}: documents an Upper Layer Binding. */
@Command(
        name = "document",
        description = "Documents the Upper Layer Binding of .x files, with a drawing of each call and reply.")
final class DocumentCommand extends Subcommand {

    private static final String HTML = ".html";

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

    @Override
    public Integer call() throws IOException {
        String name = output.toString();
        if (!name.endsWith(HTML) && !name.endsWith(".md")) {
            throw wrongUsage(name + " ends neither in .html nor in .md");
        }
        try (input) {
            Analysis read = XdrCompiler.analyze(input.sources(), input.options());
            int status = input.report(read.diagnostics(), read.files(), err());
            return status == ExitStatus.OK ? write(read.meaning().orElseThrow()) : Integer.valueOf(status);
        }
    }

    private int write(JavaModel meaning) {
        if (meaning.protocol().programs().isEmpty()) {
            return fail(ExitStatus.INPUT_ERRORS, "these files define no program, so there is no binding to document");
        }
        String document = output.toString().endsWith(HTML)
                ? BindingDocument.html(meaning.protocol(), meaning.binding(), title)
                : BindingDocument.markdown(meaning.protocol(), meaning.binding(), title);
        try {
            Files.writeString(output, document);
        } catch (IOException e) {
            return failToWrite(output, e);
        }
        out().println(output.toString());
        return ExitStatus.OK;
    }
}
