// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.Dependencies;
import org.emplace.compiler.source.SourceFile;

/**
 * The result of analyzing source files.
 *
 * @param meaning the checked protocol, with its binding and its Java model; empty if there are errors
 * @param diagnostics errors and warnings, by position
 * @param files that were read, for quoting
 * @param dependencies the files that the result depends on
 */
public record Analysis(
        Optional<JavaModel> meaning, List<Diagnostic> diagnostics, List<SourceFile> files, Dependencies dependencies) {

    public Analysis {
        files = List.copyOf(files);
    }
}
