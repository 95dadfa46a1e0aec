// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.source.Dependencies;
import org.emplace.compiler.source.SourceFile;

/**
 * Finds included files in the file system: a name in quotes first beside the including file, then in the directories in order. Reads each file once;
 * its name is the one by which it was first found.
 */
public final class IncludePath implements Includes {

    /**
     * A directory to search.
     *
     * @param name its name in diagnostics and generated sources; it must be the same on every machine if output is to be the same
     */
    public record Directory(Path path, String name) {}

    private final List<Directory> directories;
    private final Map<Path, SourceFile> files = new LinkedHashMap<>();
    private final Map<String, Path> paths = new HashMap<>();
    private final Set<Path> absent = new LinkedHashSet<>();

    public IncludePath(List<Directory> directories) {
        this.directories = List.copyOf(directories);
    }

    /** Reads a file, or returns it if it was read before. */
    public SourceFile read(Path path, String name) throws IOException {
        Path key = key(path);
        SourceFile file = files.get(key);
        if (file == null) {
            file = SourceFile.read(path, name);
            files.put(key, file);
            paths.put(name, path);
        }
        return file;
    }

    /** Whether a file exists. If not, records its absence as a dependency. */
    public boolean has(Path path) {
        boolean isThere = Files.isRegularFile(path);
        if (!isThere) {
            absent.add(key(path));
        }
        return isThere;
    }

    /** All files that were read, or looked for and not found. */
    public Dependencies dependencies() {
        return new Dependencies(files.keySet(), absent);
    }

    /** All files that were read, in the order of reading. */
    public List<SourceFile> files() {
        return List.copyOf(files.values());
    }

    /** Where a file is that was read. */
    public Path path(SourceFile file) {
        return Objects.requireNonNull(paths.get(file.name()));
    }

    @Override
    public Optional<SourceFile> find(String written, boolean isQuoted, String includer) throws IOException {
        try {
            for (Directory candidate : candidates(isQuoted, includer)) {
                Path path = candidate.path().resolve(written);
                if (has(path)) {
                    return Optional.of(read(path, candidate.name() + written));
                }
            }
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static Path key(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /** The directories to search, each with a name to which a file's name can be appended. */
    private List<Directory> candidates(boolean isQuoted, String includer) {
        List<Directory> candidates = new ArrayList<>();
        Path includerPath = paths.get(includer);
        if (isQuoted && includerPath != null) {
            Path folder = includerPath.toAbsolutePath().getParent();
            if (folder != null) {
                candidates.add(new Directory(folder, Includes.beside(includer, "")));
            }
        }
        for (Directory directory : directories) {
            String name = directory.name();
            boolean isClosed = name.isEmpty() || name.endsWith("/");
            candidates.add(new Directory(directory.path(), isClosed ? name : name + "/"));
        }
        return candidates;
    }
}
