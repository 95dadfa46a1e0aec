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

/** The files of one protocol, and how they are read and reported on: what commands have that make something of it. Jars among them are open until this is closed. */
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

    /** A file, which diagnostics call as the user did. */
    static Source source(Path file) {
        return new Source(file, file.toString());
    }

    /** The files that are named. */
    List<Source> files() {
        return files.stream().map(Input::source).toList();
    }

    /** These, and with them those that are imported. */
    List<Source> sources() throws IOException {
        return imported.with(files());
    }

    SourceOptions options() {
        return reading.options();
    }

    /** Shows diagnostics. @return the exit status that they mean */
    int report(List<Diagnostic> diagnostics, Collection<SourceFile> sources, PrintWriter to) {
        List<Diagnostic> judged = diagnostics.stream().map(this::judge).toList();
        reporting.show(judged, sources, to);
        return ExitStatus.of(judged);
    }

    /** Shows what a command was asked for, on standard output. */
    void showResults(List<Diagnostic> results, Collection<SourceFile> sources, PrintWriter out) {
        reporting.showResults(results, sources, out);
    }

    /** Whether output is for programs. */
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
