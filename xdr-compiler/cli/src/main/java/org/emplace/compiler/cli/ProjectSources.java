// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.preprocess.IncludePath;
import org.emplace.compiler.starter.ProjectName;

/** Where the files of a protocol go in a new project. They keep their relative places, so that those which include others still find them. */
final class ProjectSources {

    private static final String FOLDER = "src/main/xdr/";

    /** For files that {@code -I} finds elsewhere. */
    private static final String FOUND = "src/main/include/";

    private final ProjectName name;
    private final Path folder;
    private final List<Path> directories;
    private final boolean hasSidecar;
    private final Map<String, Path> files = new LinkedHashMap<>();
    private boolean includesOthers;

    /** The protocol's file, and its sidecar if it has one. */
    ProjectSources(Path file, List<IncludePath.Directory> includePath) {
        Path main = absolute(file);
        Path sidecar = Input.source(main).sidecar().path();
        this.name = ProjectName.of(main.getFileName().toString());
        this.folder = main.resolveSibling("");
        this.directories = includePath.stream()
                .map(directory -> absolute(directory.path()))
                .toList();
        this.hasSidecar = Files.isRegularFile(sidecar);
        files.put(FOLDER + name.file() + ".x", main);
        if (hasSidecar) {
            files.put(FOLDER + name.file() + ".ulb", sidecar);
        }
    }

    /** The name of the project, made from that of the file. */
    ProjectName name() {
        return name;
    }

    boolean hasSidecar() {
        return hasSidecar;
    }

    /**
     * Adds the files that the protocol includes.
     *
     * @return a file that cannot be copied into the project, if there is one
     */
    Optional<Path> addIncluded(Set<Path> read) {
        List<Path> own = List.copyOf(files.values());
        List<Path> included = read.stream().filter(file -> !own.contains(file)).toList();
        for (Path file : included) {
            Optional<String> place = place(file);
            if (place.isEmpty() || files.putIfAbsent(place.get(), file) != null) {
                return Optional.of(file);
            }
        }
        includesOthers = !included.isEmpty();
        return Optional.empty();
    }

    private Optional<String> place(Path file) {
        if (file.startsWith(folder)) {
            return Optional.of(FOLDER + slashed(folder.relativize(file)));
        }
        return directories.stream()
                .filter(file::startsWith)
                .map(directory -> FOUND + slashed(directory.relativize(file)))
                .findFirst();
    }

    /** The file to compile, if files beside it are complete only when it includes them. */
    List<String> compiled() {
        return includesOthers ? List.of(name.file() + ".x") : List.of();
    }

    /** The directories of {@code -I} in the project. */
    List<String> includeDirectories() {
        return directories.stream()
                .filter(directory -> includesOthers)
                .map(directory -> directory.startsWith(folder) ? FOLDER + slashed(folder.relativize(directory)) : FOUND)
                .map(place -> place.replaceFirst("/$", ""))
                .distinct()
                .toList();
    }

    /** The files by their paths in the project, with {@code /}. */
    Map<String, Path> files() {
        return Collections.unmodifiableMap(files);
    }

    private static Path absolute(Path file) {
        return file.toAbsolutePath().normalize();
    }

    private static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }
}
