// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Files to write into a directory. None of them may exist before. */
final class NewProject {

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
