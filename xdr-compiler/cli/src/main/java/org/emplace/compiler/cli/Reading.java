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

/** The options for reading source files, shared by several commands. */
final class Reading {

    @Option(
            names = "-D",
            paramLabel = "NAME[=TEXT]",
            mapFallbackValue = "1",
            description = "defines a macro; without a text, as 1. RPC_HDR is always defined, unless -U undefines it")
    private Map<String, String> defined = new TreeMap<>();

    @Option(names = "-U", paramLabel = "NAME", description = "undefines a macro, even if -D defines it")
    private Set<String> undefined = new TreeSet<>();

    @Option(
            names = "-I",
            paramLabel = "DIR",
            description = "a directory to search for included files, after the folder of the including file")
    private List<Path> includePath = List.of();

    @Option(names = "--standard", description = "turns everything that RFC 4506 and RFC 5531 do not have into an error")
    private boolean standardOnly;

    SourceOptions options() {
        List<IncludePath.Directory> directories = includePath.stream()
                .map(path -> new IncludePath.Directory(path, path.toString()))
                .toList();
        return new SourceOptions(new Definitions(defined, undefined), directories, standardOnly);
    }
}
