// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.nio.file.Path;
import java.util.List;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;

/**
 * The input of an execution.
 *
 * @param baseDirectory the module; source files are named relative to it, so that output is the same on every machine
 * @param sourceDirectory a folder with files; need not exist
 * @param includes glob patterns relative to {@code sourceDirectory}
 * @param files further files, and folders with files
 * @param archives dependencies with files
 * @param imports files whose classes exist already
 * @param importedArchives dependencies that contain definitions and the classes made from them; without patterns
 * @param options how to read the files
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
     * @param name the beginning of the names of its files: {@code NAME/PATH}
     * @param path the jar or, in a reactor build, the folder of its classes
     * @param includes glob patterns relative to its root
     */
    record Archive(String name, Path path, List<String> includes) {

        Archive {
            includes = List.copyOf(includes);
        }
    }
}
