// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Generates Java sources from XDR files with their Upper Layer Binding, and adds them to the module's sources. Does nothing while
 * neither the inputs nor the options nor the compiler have changed. A module may have several executions, each with a package of its
 * own.
 */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class GenerateMojo extends AbstractMojo {

    /** The folder with the module's XDR files. It need not exist if {@link #files} names some. */
    @Parameter(defaultValue = "${project.basedir}/src/main/xdr")
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private File sourceDirectory;

    /** Which files of {@link #sourceDirectory} to compile. */
    @Parameter(defaultValue = "**/*.x")
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private List<String> includes;

    /** Further XDR files, and folders with XDR files. */
    @Parameter
    private List<File> files = List.of();

    /** The Java package of the generated sources. */
    @Parameter(required = true)
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private String packageName;

    /** Where the generated sources go. */
    @Parameter(defaultValue = "${project.build.directory}/generated-sources/emplace")
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private File outputDirectory;

    @Parameter(defaultValue = "${project.build.directory}/emplace", readonly = true)
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private File stateDirectory;

    @Parameter(defaultValue = "${project}", readonly = true)
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private MavenProject project;

    @Parameter(defaultValue = "${mojoExecution}", readonly = true)
    @SuppressWarnings("NullAway.Init") // Maven sets it
    private MojoExecution execution;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        project.addCompileSourceRoot(outputDirectory.getAbsolutePath());
        GenerateRequest request = new GenerateRequest(
                project.getBasedir().toPath(),
                sourceDirectory.toPath(),
                includes,
                files.stream().map(File::toPath).toList(),
                packageName,
                outputDirectory.toPath(),
                stateDirectory.toPath(),
                execution.getExecutionId(),
                execution.getVersion());
        report(run(request), request);
    }

    private static GenerateResult run(GenerateRequest request) throws MojoExecutionException, MojoFailureException {
        try {
            return Generation.run(request);
        } catch (MisconfiguredException e) {
            throw new MojoFailureException(e.getMessage(), e);
        } catch (IOException e) {
            throw new MojoExecutionException("cannot generate sources in " + request.outputDirectory() + ": " + e, e);
        }
    }

    private void report(GenerateResult result, GenerateRequest request) throws MojoFailureException {
        result.warnings().forEach(getLog()::warn);
        result.errors().forEach(getLog()::error);
        if (!result.errors().isEmpty()) {
            int count = result.errors().size();
            throw new MojoFailureException(
                    (count == 1 ? "1 error" : count + " errors") + " in the XDR files of " + request.packageName());
        }
        Path output = request.baseDirectory().relativize(request.outputDirectory());
        getLog().info(
                        result.isUpToDate()
                                ? request.packageName() + " is up to date"
                                : result.generated() + " sources of " + request.packageName() + " in " + output);
    }
}
