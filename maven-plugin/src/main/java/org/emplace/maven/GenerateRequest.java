// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.nio.file.Path;
import java.util.List;

/**
 * One execution of the goal.
 *
 * @param baseDirectory the module: source files are called by their place relative to it, so that output is the same on every machine
 * @param includes glob patterns relative to {@code sourceDirectory}
 * @param files further files, and folders with files
 * @param stateDirectory where executions note what they generated
 * @param execution which of the module's executions
 * @param compilerVersion another version generates anew
 */
record GenerateRequest(
        Path baseDirectory,
        Path sourceDirectory,
        List<String> includes,
        List<Path> files,
        String packageName,
        Path outputDirectory,
        Path stateDirectory,
        String execution,
        String compilerVersion) {

    GenerateRequest {
        includes = List.copyOf(includes);
        files = List.copyOf(files);
    }
}
