// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.document.BindingDocument;
import org.emplace.compiler.javamodel.JavaModel;

/**
 * Writes the Upper Layer Binding of XDR files as a document: for each procedure a drawing of call and reply that shows what stays inline and which
 * chunk moves each item. Does not write the document if it would not change.
 */
@Mojo(
        name = "document",
        defaultPhase = LifecyclePhase.PREPARE_PACKAGE,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public final class DocumentMojo extends XdrMojo {
    private static final String HTML = ".html";
    private static final String MARKDOWN = ".md";

    /** The folder with the module's XDR files. It need not exist if {@code files} or {@code specs} name some. */
    @Parameter(defaultValue = "${project.basedir}/src/main/xdr")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File sourceDirectory;

    /** The document: HTML if its name ends in {@code .html}, Markdown if it ends in {@code .md}. */
    @Parameter(property = "emplace.outputFile", defaultValue = "${project.build.directory}/binding.html")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File outputFile;

    /** The title of the document. */
    @Parameter(property = "emplace.title", defaultValue = "${project.name}")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private String title;

    @Override
    void run() throws IOException, MisconfiguredException, MojoFailureException {
        Path output = outputFile.toPath();
        if (!output.toString().endsWith(HTML) && !output.toString().endsWith(MARKDOWN)) {
            throw new MisconfiguredException("<outputFile> is " + output + "; its name must end in .html or .md");
        }
        InputRequest request = input(sourceDirectory);
        try (InputFiles files = InputFiles.open(request)) {
            Analysis read = XdrCompiler.analyze(files.sources(), request.options());
            report(Messages.of(read.diagnostics(), read.files(), request.baseDirectory()));
            write(output, document(read.meaning().orElseThrow()));
        }
    }

    private String document(JavaModel meaning) throws MisconfiguredException {
        if (meaning.protocol().programs().isEmpty()) {
            throw new MisconfiguredException("these XDR files define no program, so there is no binding to document");
        }
        return outputFile.getName().endsWith(HTML)
                ? BindingDocument.html(meaning.protocol(), meaning.binding(), title)
                : BindingDocument.markdown(meaning.protocol(), meaning.binding(), title);
    }

    private void write(Path output, String document) throws IOException {
        if (Files.exists(output) && Files.readString(output).equals(document)) {
            getLog().info(output + " is up to date");
            return;
        }
        Files.createDirectories(output.getParent());
        Files.writeString(output, document);
        getLog().info(output.toString());
    }
}
