// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * An execution of a goal that generates sources.
 *
 * @param input what it reads
 * @param outputDirectory where the sources go
 * @param stateDirectory where the executions of this goal record what they generated
 * @param execution the ID of this execution
 * @param executions the IDs of the module's executions of this goal; empty if unknown, as on the command line
 * @param sharedDirectory where the definitions for the module's jar go; empty if it contains none
 * @param compilerVersion the version of the compiler; if it differs, all sources are generated again
 */
record GenerateRequest(
        InputRequest input,
        String packageName,
        Path outputDirectory,
        Path stateDirectory,
        String execution,
        Optional<Set<String>> executions,
        Optional<Path> sharedDirectory,
        String compilerVersion) {

    GenerateRequest {
        executions = executions.map(Set::copyOf);
    }

    /** The output directory relative to the module, so that a copy of the module does not refer to the original's. */
    String outputFolder() {
        return InputFiles.relative(input.baseDirectory(), outputDirectory);
    }

    /** Whether the module declares an execution with this ID. */
    boolean isDeclared(String name) {
        return executions.isEmpty() || executions.get().contains(name);
    }
}
