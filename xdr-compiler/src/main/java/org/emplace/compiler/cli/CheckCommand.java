// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.FileAnalysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.suggest.SuggestionNotes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xdrc check}: reports errors in a protocol, and suggests items to make DDP-eligible. */
@Command(
        name = "check",
        description = {
            "Reports errors and warnings in .x files and their bindings, and generates nothing.",
            "Suggests items to make DDP-eligible, each with the reason and with the clause to write."
        },
        version = Xdrc.VERSION,
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    private final PrintWriter out;
    private final PrintWriter err;

    @Option(names = "--all", description = "also lists items that need no clause, with the reason")
    private boolean withObjections;

    @Mixin
    private final Input input = new Input();

    CheckCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        try (input) {
            FileAnalysis read = XdrCompiler.analyze(input.sources(), input.options());
            int status = input.report(read.analysis().diagnostics(), read.files(), err);
            read.analysis().meaning().ifPresent(meaning -> suggest(meaning, read));
            return status;
        }
    }

    private void suggest(Analysis.Meaning meaning, FileAnalysis read) {
        List<Diagnostic> notes = SuggestionNotes.of(meaning.protocol(), meaning.binding(), withObjections);
        input.showResults(notes, read.files(), out);
        if (notes.isEmpty() && !input.isJson()) {
            out.println("no suggestion");
        }
    }
}
