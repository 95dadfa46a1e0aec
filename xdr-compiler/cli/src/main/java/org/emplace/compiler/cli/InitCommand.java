// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.starter.BuildSettings;
import org.emplace.compiler.starter.ProjectName;
import org.emplace.compiler.starter.StarterProject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;


/** {@code xdrc init}: makes a project. */
@Command(
        name = "init",
        description = {
            "Makes a Maven project for a .x file: the file with a binding to complete, a server, a client and a test.",
            "The project builds and runs as it is. No file is overwritten."
        })
final class InitCommand extends Subcommand {

    /** The warning of what the project would leave out without a word. All others appear when it is built. */
    private static final String WITHOUT_EFFECT = "W312";

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

    @Override
    public Integer call() {
        if (packageName != null) {
            requirePackageName(packageName);
        }
        Analysis read = XdrCompiler.analyze(List.of(Input.source(file)), reading.options());
        reporting.show(
                read.diagnostics().stream()
                        .filter(each -> each.isError() || each.code().equals(WITHOUT_EFFECT))
                        .toList(),
                read.files(),
                err());
        int status = ExitStatus.of(read.diagnostics());
        return status == ExitStatus.OK ? init(read, read.meaning().orElseThrow()) : Integer.valueOf(status);
    }

    private int init(Analysis read, JavaModel meaning) {
        Protocol protocol = meaning.protocol();
        if (protocol.types().isEmpty()
                && protocol.constants().isEmpty()
                && protocol.programs().isEmpty()) {
            return fail(ExitStatus.INPUT_ERRORS, file + " defines nothing");
        }
        SourceOptions options = reading.options();
        ProjectSources sources = new ProjectSources(file, options.includePath());
        Optional<Path> unplaced = sources.addIncluded(read.dependencies().read());
        if (unplaced.isPresent()) {
            return fail(
                    ExitStatus.INPUT_ERRORS,
                    file + " includes " + unplaced.get()
                            + ", which cannot be copied into the project; move it to the folder of " + file
                            + ", or name a directory above it by -I");
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
                return fail(ExitStatus.IO_FAILURE, present.get() + " already exists; choose another --directory");
            }
            project.write();
        } catch (IOException e) {
            return failToWrite(project.directory(), e);
        }
        project.places().forEach(place -> out().println(project.directory().resolve(place)));
        out().println("next: cd " + project.directory() + " && mvn verify");
        return ExitStatus.OK;
    }

    /** Files to write into a directory. None of them may exist before. */
    private static final class NewProject {

        private final Path directory;
        private final SortedMap<String, byte[]> files = new TreeMap<>();

        NewProject(Path directory) {
            this.directory = directory;
        }

        Path directory() {
            return directory;
        }

        /** The paths of the files in the directory, with {@code /}. */
        Set<String> places() {
            return Collections.unmodifiableSet(files.keySet());
        }

        /** Adds texts. */
        void add(SortedMap<String, String> texts) {
            texts.forEach((place, text) -> files.put(place, text.getBytes(StandardCharsets.UTF_8)));
        }

        /** Adds copies of files. A file that is in its place already stays there, so that a project can be made around it. */
        void addCopies(Map<String, Path> sources) throws IOException {
            for (Map.Entry<String, Path> source : sources.entrySet()) {
                Path place = directory.resolve(source.getKey());
                if (!Files.exists(place) || !Files.isSameFile(place, source.getValue())) {
                    files.put(source.getKey(), Files.readAllBytes(source.getValue()));
                }
            }
        }

        /** A file that would be overwritten. */
        Optional<Path> present() {
            return files.keySet().stream()
                    .map(directory::resolve)
                    .filter(place -> Files.exists(place, LinkOption.NOFOLLOW_LINKS))
                    .findFirst();
        }

        /** Writes the files. Fails if one has been created in the meantime. */
        void write() throws IOException {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path place = directory.resolve(file.getKey());
                Files.createDirectories(place.resolveSibling(""));
                Files.write(place, file.getValue(), StandardOpenOption.CREATE_NEW);
            }
        }
    }
}
