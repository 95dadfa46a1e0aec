// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder of generated sources.
 *
 * @param root the folder; created if it does not exist
 */
public record OutputFolder(Path root) {

    /**
     * Writes generated sources. Does not touch a file that already has its text, so that builds see no change.
     *
     * @throws IllegalArgumentException if a path leads out of the folder; nothing is written then
     */
    public void write(SortedMap<String, String> generated) throws IOException {
        Map<Path, String> files = new LinkedHashMap<>();
        generated.forEach((path, text) -> files.put(inside(path), text));
        Set<Path> folders = new HashSet<>();
        for (Map.Entry<Path, String> file : files.entrySet()) {
            if (folders.add(file.getKey().getParent())) {
                Files.createDirectories(file.getKey().getParent());
            }
            if (!Files.exists(file.getKey()) || !Files.readString(file.getKey()).equals(file.getValue())) {
                Files.writeString(file.getKey(), file.getValue());
            }
        }
    }

    /** Writes texts, and removes every other file in the folder. Nothing else may keep files there. */
    public void replace(SortedMap<String, String> texts) throws IOException {
        write(texts);
        Set<Path> written = texts.keySet().stream().map(this::inside).collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(root.toAbsolutePath().normalize())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!written.contains(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    private Path inside(String path) {
        Path folder = root.toAbsolutePath().normalize();
        Path file = folder.resolve(path).normalize();
        if (!file.startsWith(folder) || file.equals(folder)) {
            throw new IllegalArgumentException("generated path " + path + " leads out of " + root);
        }
        return file;
    }
}
