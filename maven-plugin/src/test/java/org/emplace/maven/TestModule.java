// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.preprocess.IncludePath;
import org.emplace.maven.InputRequest.Archive;

/** A module of a Maven build, with one file {@code point.x} to begin with. */
final class TestModule {
    static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

    private final Path folder;

    String compilerVersion = "1";
    String outputDirectory = "target/generated";
    Optional<Path> sharedDirectory = Optional.empty();

    TestModule(Path folder) throws IOException {
        this.folder = folder;
        write("src/main/xdr/point.x", "struct point { int x; int y; };");
    }

    Path resolve(String path) {
        return folder.resolve(path);
    }

    /** Writes a file, and the folders above it. */
    void write(String path, String text) throws IOException {
        Files.createDirectories(resolve(path).getParent());
        Files.writeString(resolve(path), text);
    }

    InputRequest input(SourceOptions options, List<Archive> archives, Path... files) {
        return input(options, archives, List.of(), List.of(), files);
    }

    /** An execution that imports. */
    InputRequest importing(List<Source> files, List<Archive> archives) {
        return input(SourceOptions.DEFAULT, List.of(), files, archives);
    }

    private InputRequest input(
            SourceOptions options,
            List<Archive> archives,
            List<Source> imports,
            List<Archive> importedArchives,
            Path... files) {
        return new InputRequest(
                folder,
                resolve("src/main/xdr"),
                List.of("**/*.x"),
                List.of(files),
                archives,
                imports,
                importedArchives,
                options);
    }

    GenerateRequest request(InputRequest input, String packageName, String execution, Set<String> executions) {
        return new GenerateRequest(
                input,
                packageName,
                resolve(outputDirectory),
                resolve("target/emplace"),
                execution,
                Optional.of(executions),
                sharedDirectory,
                compilerVersion);
    }

    Generation.Result generate(InputRequest input) throws IOException, MisconfiguredException {
        return Generation.run(request(input, "p", "default", Set.of("default")));
    }

    Generation.Result generate(SourceOptions options) throws IOException, MisconfiguredException {
        return generate(input(options, List.of()));
    }

    /** Runs an execution of those named default, first and second, or of another name, as from the command line. */
    Generation.Result generate(String packageName, String execution, Path... files)
            throws IOException, MisconfiguredException {
        InputRequest input = input(SourceOptions.DEFAULT, List.of(), files);
        return Generation.run(request(input, packageName, execution, Set.of("default", "first", "second")));
    }

    /** Runs the one execution that there is. */
    Generation.Result generate() throws IOException, MisconfiguredException {
        return generate("p", "default");
    }

    /** The generated sources, and when they were written. */
    Map<String, FileTime> outputs() throws IOException {
        Path sources = resolve(outputDirectory);
        Map<String, FileTime> times = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                times.put(sources.relativize(file).toString(), Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    /** Makes the generated sources {@link #LONG_AGO} old. */
    void age() throws IOException {
        for (String output : outputs().keySet()) {
            Files.setLastModifiedTime(resolve(outputDirectory).resolve(output), LONG_AGO);
        }
    }

    Path jar(Map<String, String> files) throws IOException {
        Path jar = resolve("sizes.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    IncludePath.Directory directory(String name) {
        return new IncludePath.Directory(resolve(name), name);
    }
}
