// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.util.List;
import org.emplace.compiler.diagnostic.Diagnostic;
import picocli.CommandLine.Option;

/** What forbids output: an option that several commands have. */
final class Strictness {

    @Option(names = "--werror", description = "makes an error of every warning, so that nothing is written")
    private boolean warningsAreErrors;

    /** The diagnostics as they count. */
    List<Diagnostic> judge(List<Diagnostic> diagnostics) {
        return warningsAreErrors ? diagnostics.stream().map(Strictness::judge).toList() : diagnostics;
    }

    private static Diagnostic judge(Diagnostic diagnostic) {
        return diagnostic.severity() == Diagnostic.Severity.WARNING ? diagnostic.asError() : diagnostic;
    }
}
