// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * One execution of a goal that generates sources.
 *
 * @param input what it reads
 * @param outputDirectory where the sources go
 * @param stateDirectory where the executions of this goal note what they generated
 * @param execution which of the module's executions
 * @param executions all that the module has of this goal; empty if the module does not say, as on the command line
 * @param sharedDirectory where the definitions go that the module's jar is to carry; empty if it carries none
 * @param compilerVersion another version generates anew
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

    /** The output directory as seen from the module, so that a copy of the module does not speak of the original's. */
    String outputFolder() {
        return InputFiles.relative(input.baseDirectory(), outputDirectory);
    }

    /** Whether the module has an execution of this name, as far as it says. */
    boolean isDeclared(String name) {
        return executions.isEmpty() || executions.get().contains(name);
    }
}
