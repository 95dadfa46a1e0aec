// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.nio.file.Path;
import java.util.List;
import org.emplace.compiler.CompileRequest;
import picocli.CommandLine.Parameters;

/** The files that a command is given; diagnostics call them as the user did. */
final class SourceFiles {

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "the .x files, of one protocol")
    private List<Path> files = List.of();

    List<CompileRequest.Source> all() {
        return files.stream().map(SourceFiles::source).toList();
    }

    static CompileRequest.Source source(Path file) {
        return new CompileRequest.Source(file, file.toString());
    }
}
