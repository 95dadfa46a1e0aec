// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.util.List;
import org.apache.maven.plugins.annotations.Parameter;

/** XDR files in a dependency of the module, as the POM names them. */
public final class Spec {

    /** The dependency: {@code groupId:artifactId}. Its version and scope are those in the module's dependencies. */
    @Parameter(required = true)
    private String artifact = "";

    /** Which of its files to compile: patterns relative to the root of the jar. */
    @Parameter
    private List<String> includes = List.of("**/*.x");

    /** Called by Maven, which then sets the fields. */
    public Spec() {}

    String artifact() {
        return artifact;
    }

    List<String> includes() {
        return includes;
    }
}
