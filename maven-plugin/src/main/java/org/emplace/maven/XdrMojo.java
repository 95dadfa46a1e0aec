// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;

/** The parameters that all goals share: which files to read and how. Reports the diagnostics. */
abstract class XdrMojo extends AbstractMojo {

    /** The files of {@code sourceDirectory} to compile. */
    @Parameter(defaultValue = "**/*.x")
    private List<String> includes = List.of();

    /** Further XDR files, and folders with XDR files. */
    @Parameter
    private List<File> files = List.of();

    /**
     * XDR files in dependencies of the module. Each {@code <spec>} names an {@code <artifact>} as {@code groupId:artifactId}. With
     * {@code <includes>} it selects some of the artifact's files; the default is all {@code .x} files.
     */
    @Parameter
    private List<Spec> specs = List.of();

    /**
     * Definitions whose classes already exist and are not generated again. Each {@code <import>} is the {@code groupId:artifactId} of a
     * dependency that shares its definitions, or {@code PACKAGE=FILE}: a file from which another execution generates classes in that package.
     */
    @Parameter
    private List<String> imports = List.of();

    /** Macros to define before each file: {@code <NAME>TEXT</NAME>}, or 1 without a text. {@code RPC_HDR} is defined too. */
    @Parameter
    private Map<String, String> defines = Map.of();

    /** Names of macros to undefine, such as {@code RPC_HDR}. */
    @Parameter
    private Set<String> undefines = Set.of();

    /** Directories to search for included files, after the folder of the including file. */
    @Parameter
    private List<File> includeDirectories = List.of();

    /** If true, extensions of RFC 4506 and RFC 5531 are errors. */
    @Parameter(property = "emplace.standard", defaultValue = "false")
    private boolean standard;

    /** If true, the goal does nothing. */
    @Parameter(property = "emplace.skip", defaultValue = "false")
    private boolean skip;

    @Parameter(defaultValue = "${project}", readonly = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private MavenProject project;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("skipped, because emplace.skip is true");
            return;
        }
        try {
            run();
        } catch (MisconfiguredException e) {
            throw new MojoFailureException(e.getMessage(), e);
        } catch (IOException e) {
            throw new MojoExecutionException("a file cannot be read or written: " + e, e);
        }
    }

    abstract void run() throws IOException, MisconfiguredException, MojoFailureException;

    final MavenProject project() {
        return project;
    }

    final InputRequest input(File sourceDirectory) throws MisconfiguredException {
        Path base = project.getBasedir().toPath();
        List<IncludePath.Directory> includePath = includeDirectories.stream()
                .map(File::toPath)
                .map(path -> new IncludePath.Directory(path, InputFiles.relative(base, path)))
                .toList();
        DependencySpecs dependencies = new DependencySpecs(project.getArtifacts());
        List<Source> importedFiles = new ArrayList<>();
        List<InputRequest.Archive> importedArchives = new ArrayList<>();
        for (String each : imports) {
            Optional<Source> file = importedFile(each, base);
            if (file.isPresent()) {
                importedFiles.add(file.get());
            } else {
                importedArchives.add(dependencies.imported(each));
            }
        }
        return new InputRequest(
                base,
                sourceDirectory.toPath(),
                includes,
                files.stream().map(File::toPath).toList(),
                dependencies.find(specs),
                importedFiles,
                importedArchives,
                new SourceOptions(new Definitions(texts(defines), undefines), includePath, standard));
    }

    private static Optional<Source> importedFile(String written, Path base) throws MisconfiguredException {
        try {
            return Source.imported(written, file -> {
                Path path = base.resolve(file);
                return new Source(path, InputFiles.relative(base, path));
            });
        } catch (IllegalArgumentException e) {
            throw new MisconfiguredException("<imports>: " + e.getMessage(), e);
        }
    }

    /** Maven passes an empty element of the POM as null. */
    private static Map<String, String> texts(Map<String, String> defines) {
        Map<String, String> texts = new TreeMap<>();
        defines.forEach((name, text) -> texts.put(name, text == null ? "1" : text));
        return texts;
    }

    /** Logs the diagnostics, and fails if there are errors. */
    final void report(Messages messages) throws MojoFailureException {
        messages.notes().forEach(getLog()::info);
        messages.warnings().forEach(getLog()::warn);
        messages.errors().forEach(getLog()::error);
        int errors = messages.errors().size();
        if (errors > 0) {
            throw new MojoFailureException(
                    (errors == 1 ? "1 error" : errors + " errors") + " in the XDR files of " + project.getArtifactId());
        }
    }
}
