// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Generates Java sources for the module's tests, as {@code generate} does for the module, but from other files and into another folder. */
@Mojo(
        name = "test-generate",
        defaultPhase = LifecyclePhase.GENERATE_TEST_SOURCES,
        requiresDependencyResolution = ResolutionScope.TEST,
        threadSafe = true)
public final class TestGenerateMojo extends SourcesMojo {

    /** The folder with the XDR files of the module's tests. It need not exist if {@code files} or {@code specs} name some. */
    @Parameter(defaultValue = "${project.basedir}/src/test/xdr")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File sourceDirectory;

    /** The directory for the generated sources. */
    @Parameter(defaultValue = "${project.build.directory}/generated-test-sources/emplace")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File outputDirectory;

    @Override
    void run() throws IOException, MisconfiguredException, MojoFailureException {
        project().addTestCompileSourceRoot(outputDirectory.getAbsolutePath());
        generate(sourceDirectory, outputDirectory, Optional.empty());
    }
}
