// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;
import picocli.CommandLine.Option;

/** How source files are read: options that several commands have. */
final class Reading {

    @Option(
            names = "-D",
            paramLabel = "NAME[=TEXT]",
            mapFallbackValue = "1",
            description = "defines a macro, as 1 if no text is given; RPC_HDR is defined unless -U says otherwise")
    private Map<String, String> defined = new TreeMap<>();

    @Option(names = "-U", paramLabel = "NAME", description = "undefines a macro, also one that -D defines")
    private Set<String> undefined = new TreeSet<>();

    @Option(
            names = "-I",
            paramLabel = "DIR",
            description = "where included files are looked for, after the folder of the file that includes them")
    private List<Path> includePath = List.of();

    @Option(names = "--standard", description = "makes an error of everything that RFC 4506 and RFC 5531 do not have")
    private boolean standardOnly;

    SourceOptions options() {
        List<IncludePath.Directory> directories = includePath.stream()
                .map(path -> new IncludePath.Directory(path, path.toString()))
                .toList();
        return new SourceOptions(new Definitions(defined, undefined), directories, standardOnly);
    }
}
