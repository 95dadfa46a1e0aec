// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.SourceFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The files of one protocol with the options for reading and reporting, shared by commands that process a protocol. Imported jars are open until this
 * is closed.
 */
final class Input implements Closeable {

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "the .x files of one protocol")
    private List<Path> files = List.of();

    @Option(names = "--werror", description = "treats warnings as errors, so that nothing is written")
    private boolean warningsAreErrors;

    @Mixin
    private final ImportedFiles imported = new ImportedFiles();

    @Mixin
    private Reading reading = new Reading();

    @Mixin
    private Reporting reporting = new Reporting();

    /** A file. Diagnostics use the name that the user gave. */
    static Source source(Path file) {
        return new Source(file, file.toString());
    }

    /** The files on the command line. */
    List<Source> files() {
        return files.stream().map(Input::source).toList();
    }

    /** These files, followed by the imported ones. */
    List<Source> sources() throws IOException {
        return imported.with(files());
    }

    SourceOptions options() {
        return reading.options();
    }

    /**
     * Shows diagnostics.
     *
     * @return the exit status for them
     */
    int report(List<Diagnostic> diagnostics, Collection<SourceFile> sources, PrintWriter to) {
        List<Diagnostic> judged = diagnostics.stream().map(this::judge).toList();
        reporting.show(judged, sources, to);
        return ExitStatus.of(judged);
    }

    /** Shows the results of a command, on standard output. */
    void showResults(List<Diagnostic> results, Collection<SourceFile> sources, PrintWriter out) {
        reporting.showResults(results, sources, out);
    }

    /** Whether the output is JSON. */
    boolean isJson() {
        return reporting.isJson();
    }

    private Diagnostic judge(Diagnostic diagnostic) {
        boolean isWarning = diagnostic.severity() == Diagnostic.Severity.WARNING;
        return warningsAreErrors && isWarning ? diagnostic.asError() : diagnostic;
    }

    @Override
    public void close() throws IOException {
        imported.close();
    }
}
