// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.codehaus.plexus.build.BuildContext;

/** The base of the goals that generate Java sources. */
abstract class SourcesMojo extends XdrMojo {

    /** The Java package of the generated sources. */
    @Parameter(required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private String packageName;

    @Parameter(defaultValue = "${project.build.directory}/emplace", readonly = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File stateDirectory;

    @Parameter(defaultValue = "${mojoExecution}", readonly = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private MojoExecution execution;

    @Inject
    @SuppressWarnings("NullAway.Init") // set by Maven
    private BuildContext workspace;

    /** The ID of this execution, which distinguishes it from others of the goal. */
    final String executionId() {
        return execution.getExecutionId();
    }

    /** Generates the sources, and logs the result. */
    final void generate(File sourceDirectory, File outputDirectory, Optional<Path> sharedDirectory)
            throws IOException, MisconfiguredException, MojoFailureException {
        Generation.Result result = Generation.run(new GenerateRequest(
                input(sourceDirectory),
                packageName,
                outputDirectory.toPath(),
                stateDirectory.toPath().resolve(execution.getGoal()),
                execution.getExecutionId(),
                executions(),
                sharedDirectory,
                execution.getVersion()));
        report(result.messages());
        if (result.isUpToDate()) {
            getLog().info(packageName + " is up to date");
        } else {
            workspace.refresh(outputDirectory);
            Path output = project().getBasedir().toPath().relativize(outputDirectory.toPath());
            int generated = result.generated();
            getLog().info(generated + (generated == 1 ? " source of " : " sources of ") + packageName + " in "
                    + output);
        }
    }

    /** The IDs of the module's executions of this goal. */
    private Optional<Set<String>> executions() {
        Plugin plugin = project().getPlugin(execution.getPlugin().getKey());
        return Optional.ofNullable(plugin)
                .map(declared -> declared.getExecutions().stream()
                        .filter(each -> each.getGoals().contains(execution.getGoal()))
                        .map(each -> each.getId())
                        .collect(Collectors.toSet()));
    }
}
