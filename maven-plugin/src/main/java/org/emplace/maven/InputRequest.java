// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.nio.file.Path;
import java.util.List;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;

/**
 * What an execution reads.
 *
 * @param baseDirectory the module: source files are called by their place relative to it, so that output is the same on every machine
 * @param sourceDirectory a folder with files; need not exist
 * @param includes glob patterns relative to {@code sourceDirectory}
 * @param files further files, and folders with files
 * @param archives dependencies with files
 * @param imports files whose classes exist already
 * @param importedArchives dependencies that carry definitions and the classes made from them; no patterns
 * @param options how to read them
 */
record InputRequest(
        Path baseDirectory,
        Path sourceDirectory,
        List<String> includes,
        List<Path> files,
        List<Archive> archives,
        List<Source> imports,
        List<Archive> importedArchives,
        SourceOptions options) {

    InputRequest {
        includes = List.copyOf(includes);
        files = List.copyOf(files);
        archives = List.copyOf(archives);
        imports = List.copyOf(imports);
        importedArchives = List.copyOf(importedArchives);
    }

    /**
     * A dependency with XDR files.
     *
     * @param name what its files are called by: {@code NAME/PATH}
     * @param path the jar, or in the reactor the folder that will become one
     * @param includes glob patterns relative to its root
     */
    record Archive(String name, Path path, List<String> includes) {

        Archive {
            includes = List.copyOf(includes);
        }
    }
}
