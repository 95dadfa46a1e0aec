// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.FileAnalysis;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.source.FileFailure;
import org.emplace.compiler.starter.BuildSettings;
import org.emplace.compiler.starter.ProjectName;
import org.emplace.compiler.starter.StarterProject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xdrc init}: a project to begin with. */
@Command(
        name = "init",
        description = {
            "Makes a Maven project for a .x file: the file with a binding to complete, a server, a client and a test.",
            "The project builds and runs as it is. No file is overwritten."
        },
        version = Xdrc.VERSION,
        mixinStandardHelpOptions = true)
final class InitCommand implements Callable<Integer> {

    private final PrintWriter out;
    private final PrintWriter err;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "the project's directory; default: FILE without .x")
    private @Nullable Path directory;

    @Option(names = "--package", paramLabel = "NAME", description = "its Java package; default: made from FILE's name")
    private @Nullable String packageName;

    @Mixin
    private Reading reading = new Reading();

    @Mixin
    private Reporting reporting = new Reporting();

    @Parameters(paramLabel = "FILE", description = "the .x file of the protocol")
    private Path file = Path.of("");

    InitCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        if (packageName != null && !SourceVersion.isName(packageName)) {
            err.println("xdrc init: `" + packageName + "` is not a Java package name; try xdrc init --help");
            return ExitStatus.USAGE;
        }
        FileAnalysis read = XdrCompiler.analyze(List.of(Input.source(file)), reading.options());
        reporting.showErrors(read.analysis().diagnostics(), read.files(), err);
        int status = ExitStatus.of(read.analysis().diagnostics());
        return status == ExitStatus.OK ? init(read, read.analysis().meaning().orElseThrow()) : Integer.valueOf(status);
    }

    private int init(FileAnalysis read, Analysis.Meaning meaning) {
        Protocol protocol = meaning.protocol();
        if (protocol.types().isEmpty()
                && protocol.constants().isEmpty()
                && protocol.programs().isEmpty()) {
            err.println("xdrc init: " + file + " defines nothing");
            return ExitStatus.INPUT_ERRORS;
        }
        SourceOptions options = reading.options();
        ProjectSources sources = new ProjectSources(file, options.includePath());
        Optional<Path> homeless = sources.addIncluded(read.dependencies().read());
        if (homeless.isPresent()) {
            err.println("xdrc init: " + file + " includes " + homeless.get()
                    + ", which has no place in the project; move it to the folder of " + file
                    + ", or name a directory above it by -I");
            return ExitStatus.INPUT_ERRORS;
        }
        BuildSettings settings = new BuildSettings(
                sources.compiled(),
                sources.includeDirectories(),
                options.definitions().defined(),
                options.definitions().undefined(),
                options.standardOnly());
        ProjectName name = sources.name();
        SortedMap<String, String> made = StarterProject.files(
                name,
                packageName == null ? name.packageName() : packageName,
                protocol,
                meaning.binding(),
                settings,
                sources.hasSidecar());
        return write(new NewProject(directory == null ? Path.of(name.artifact()) : directory), made, sources.files());
    }

    private int write(NewProject project, SortedMap<String, String> made, Map<String, Path> sources) {
        try {
            project.add(made);
            project.addCopies(sources);
            Optional<Path> present = project.present();
            if (present.isPresent()) {
                err.println("xdrc init: " + present.get() + " exists already; choose another --directory");
                return ExitStatus.IO_FAILURE;
            }
            project.write();
        } catch (IOException e) {
            err.println("xdrc init: cannot write "
                    + FileFailure.file(e).orElse(project.directory().toString()) + ": " + FileFailure.reason(e));
            return ExitStatus.IO_FAILURE;
        }
        project.places().forEach(place -> out.println(project.directory().resolve(place)));
        out.println("next: cd " + project.directory() + " && mvn verify");
        return ExitStatus.OK;
    }
}
