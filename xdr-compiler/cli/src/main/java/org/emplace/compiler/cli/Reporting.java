// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.DiagnosticJson;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;
import org.emplace.compiler.diagnostic.Style;
import org.emplace.compiler.source.SourceFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for showing diagnostics, shared by several commands. */
final class Reporting {

    /** The formats of diagnostics. */
    enum Format {
        TEXT,
        JSON
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "diagnostic format: text (default) or json (one object per line)")
    private Format format = Format.TEXT;

    @Mixin
    private Color color = new Color();

    /** Shows diagnostics. In text, adds the command that explains them. */
    void show(List<Diagnostic> diagnostics, Collection<SourceFile> sources, PrintWriter to) {
        show(diagnostics, sources, to, color.ofMessages());
    }

    /** Shows the results of a command, on standard output. */
    void showResults(List<Diagnostic> diagnostics, Collection<SourceFile> sources, PrintWriter out) {
        show(diagnostics, sources, out, color.ofOutput());
    }

    private void show(List<Diagnostic> diagnostics, Collection<SourceFile> sources, PrintWriter to, Style style) {
        if (format == Format.JSON) {
            diagnostics.forEach(diagnostic -> to.print(DiagnosticJson.render(diagnostic)));
        } else {
            DiagnosticRenderer renderer = new DiagnosticRenderer(sources, style);
            diagnostics.forEach(diagnostic -> to.print(renderer.render(diagnostic)));
            explain(diagnostics, to, style);
        }
        to.flush();
    }

    /** Shows only errors. */
    void showErrors(List<Diagnostic> diagnostics, Collection<SourceFile> sources, PrintWriter to) {
        show(diagnostics.stream().filter(Diagnostic::isError).toList(), sources, to);
    }

    boolean isJson() {
        return format == Format.JSON;
    }

    Style ofOutput() {
        return color.ofOutput();
    }

    private static void explain(List<Diagnostic> diagnostics, PrintWriter to, Style style) {
        if (!diagnostics.isEmpty()) {
            String codes = diagnostics.stream()
                    .map(Diagnostic::code)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(" "));
            to.println(style.of(Style.Role.NOTE, "more:") + " xdrc explain " + codes);
        }
    }
}
