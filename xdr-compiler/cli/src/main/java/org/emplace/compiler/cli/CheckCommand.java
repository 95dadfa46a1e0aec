// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.util.List;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.JavaModel;
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
        })
final class CheckCommand extends Subcommand {

    @Option(names = "--all", description = "also lists items that need no clause, with the reason")
    private boolean withObjections;

    @Mixin
    private final Input input = new Input();

    @Override
    public Integer call() throws IOException {
        try (input) {
            Analysis read = XdrCompiler.analyze(input.sources(), input.options());
            int status = input.report(read.diagnostics(), read.files(), err());
            read.meaning().ifPresent(meaning -> suggest(meaning, read));
            return status;
        }
    }

    private void suggest(JavaModel meaning, Analysis read) {
        List<Diagnostic> notes = SuggestionNotes.of(meaning.protocol(), meaning.binding(), withObjections);
        input.showResults(notes, read.files(), out());
        if (notes.isEmpty() && !input.isJson()) {
            out().println("no suggestion");
        }
    }
}
