// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.maven.model.Resource;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Generates Java sources from XDR files with their Upper Layer Binding, and adds them to the module's sources. Does nothing if
 * neither the inputs nor the options nor the compiler have changed. A module may have several executions, each with its own
 * package.
 */
@Mojo(
        name = "generate",
        defaultPhase = LifecyclePhase.GENERATE_SOURCES,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public final class GenerateMojo extends SourcesMojo {

    /** The folder with the module's XDR files. It need not exist if {@code files} or {@code specs} name some. */
    @Parameter(defaultValue = "${project.basedir}/src/main/xdr")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File sourceDirectory;

    /** The directory for the generated sources. */
    @Parameter(defaultValue = "${project.build.directory}/generated-sources/emplace")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File outputDirectory;

    /** If true, the module's jar contains the definitions in {@code META-INF/xdr}, so that dependent modules can import them. */
    @Parameter(defaultValue = "false")
    private boolean shareDefinitions;

    @Parameter(defaultValue = "${project.build.directory}/generated-resources/emplace", readonly = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File sharedDirectory;

    @Override
    void run() throws IOException, MisconfiguredException, MojoFailureException {
        project().addCompileSourceRoot(outputDirectory.getAbsolutePath());
        generate(sourceDirectory, outputDirectory, shareDefinitions ? Optional.of(shared()) : Optional.empty());
    }

    /** The folder whose files the jar also contains. */
    private Path shared() {
        Path folder = sharedDirectory.toPath().resolve(executionId());
        Resource resource = new Resource();
        resource.setDirectory(folder.toString());
        project().addResource(resource);
        return folder;
    }
}
