// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.Dependencies;
import org.emplace.compiler.source.SourceFile;

/**
 * The output of the compiler.
 *
 * @param generated texts of Java sources by path relative to the output folder, with {@code /}; empty if there are errors
 * @param diagnostics errors and warnings, by position
 * @param sources the files that were read, for quoting
 * @param dependencies the files that the result depends on
 */
public record CompileResult(
        SortedMap<String, String> generated,
        List<Diagnostic> diagnostics,
        List<SourceFile> sources,
        Dependencies dependencies) {

    public CompileResult {
        generated = Collections.unmodifiableSortedMap(new TreeMap<>(generated));
        diagnostics = List.copyOf(diagnostics);
        sources = List.copyOf(sources);
    }

    /** Whether there are errors, so that nothing was generated. */
    public boolean failed() {
        return diagnostics.stream().anyMatch(Diagnostic::isError);
    }
}
