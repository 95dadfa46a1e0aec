// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.DefinitionArchive;
import org.emplace.compiler.source.FileFailure;
import org.emplace.maven.InputRequest.Archive;

/** Finds the XDR files that an execution reads. Jars stay open until this is closed. */
final class InputFiles implements Closeable {
    private static final String EVERY_DEPTH = "**/";

    private final InputRequest request;
    private final Map<String, Path> found = new TreeMap<>();
    private final List<Source> imported = new ArrayList<>();
    private final List<Closeable> jars = new ArrayList<>();

    private InputFiles(InputRequest request) {
        this.request = request;
    }

    static InputFiles open(InputRequest request) throws IOException, MisconfiguredException {
        InputFiles files = new InputFiles(request);
        try {
            files.find();
            return files;
        } catch (IOException | MisconfiguredException e) {
            files.close();
            throw e;
        }
    }

    /** The files, sorted by name, each once, followed by the imported ones. */
    List<Source> sources() {
        Stream<Source> own = found.entrySet().stream().map(each -> new Source(each.getValue(), each.getKey()));
        return Stream.concat(own, imported.stream()).toList();
    }

    /** The number of files that are not imported. */
    int own() {
        return found.size();
    }

    @Override
    public void close() throws IOException {
        for (Closeable jar : jars) {
            jar.close();
        }
    }

    private void find() throws IOException, MisconfiguredException {
        if (Files.isDirectory(request.sourceDirectory())) {
            add(request.sourceDirectory(), request.includes(), this::name);
        }
        for (Path path : request.files()) {
            if (Files.isDirectory(path)) {
                add(path, List.of("**/*.x"), this::name);
            } else if (Files.isRegularFile(path)) {
                found.put(name(path), path);
            } else {
                throw new MisconfiguredException("<files> names " + path + ", which does not exist");
            }
        }
        for (Archive archive : request.archives()) {
            Path root = root(archive);
            if (!add(root, archive.includes(), file -> archive.name() + "/" + relative(root, file))) {
                throw new MisconfiguredException("<specs> selects " + String.join(", ", archive.includes()) + " of "
                        + archive.name() + ", but no file matches in " + archive.path());
            }
        }
        findImports();
        if (found.isEmpty()) {
            throw new MisconfiguredException("there is no .x file in " + request.sourceDirectory()
                    + "; put the protocol there, or name it in <files>, <specs> or <sourceDirectory>");
        }
    }

    private void findImports() throws IOException, MisconfiguredException {
        for (Source source : request.imports()) {
            if (!Files.isRegularFile(source.path())) {
                throw new MisconfiguredException("<imports> names " + source.path() + ", which does not exist");
            }
            // An imported file is not generated, even if it is among the files of the module.
            found.remove(source.name());
            imported.add(source);
        }
        for (Archive archive : request.importedArchives()) {
            List<Source> carried = open(archive).sources();
            if (carried.isEmpty()) {
                throw new MisconfiguredException("<imports> names " + archive.name() + ", but " + archive.path()
                        + " contains no definitions; build it with <shareDefinitions>, or with xdrc compile --share");
            }
            imported.addAll(carried);
        }
    }

    private DefinitionArchive open(Archive archive) throws IOException, MisconfiguredException {
        try {
            DefinitionArchive opened = DefinitionArchive.open(archive.path(), archive.name() + "/");
            jars.add(opened);
            return opened;
        } catch (FileSystemException e) {
            throw noJar("<imports>", archive, e);
        }
    }

    private Path root(Archive archive) throws IOException, MisconfiguredException {
        if (Files.isDirectory(archive.path())) {
            return archive.path();
        }
        try {
            FileSystem jar = DefinitionArchive.jar(archive.path());
            jars.add(jar);
            return jar.getPath("/");
        } catch (FileSystemException e) {
            throw noJar("<specs>", archive, e);
        }
    }

    private static MisconfiguredException noJar(String parameter, Archive archive, FileSystemException e) {
        return new MisconfiguredException(
                parameter + " names " + archive.name() + ", but " + archive.path() + ": " + FileFailure.reason(e), e);
    }

    /** Adds the files that match. Returns whether there are any. */
    private boolean add(Path folder, List<String> patterns, Function<Path, String> name) throws IOException {
        List<PathMatcher> matchers = matchers(folder.getFileSystem(), patterns);
        try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            List<Path> matching = files.filter(Files::isRegularFile)
                    .filter(file -> matchers.stream().anyMatch(each -> each.matches(folder.relativize(file))))
                    .toList();
            matching.forEach(file -> found.put(name.apply(file), file));
            return !matching.isEmpty();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Patterns as elsewhere in Maven: unlike in a glob, {@code **}{@code /} also matches no folder. */
    private static List<PathMatcher> matchers(FileSystem files, List<String> patterns) {
        List<PathMatcher> matchers = new ArrayList<>();
        for (String pattern : patterns) {
            matchers.add(files.getPathMatcher("glob:" + pattern));
            if (pattern.startsWith(EVERY_DEPTH)) {
                matchers.add(files.getPathMatcher("glob:" + pattern.substring(EVERY_DEPTH.length())));
            }
        }
        return matchers;
    }

    private String name(Path file) {
        return relative(request.baseDirectory(), file);
    }

    /** The path with {@code /} on every machine. */
    static String relative(Path folder, Path file) {
        Path base = folder.toAbsolutePath().normalize();
        return base.relativize(file.toAbsolutePath().normalize()).toString().replace('\\', '/');
    }
}
