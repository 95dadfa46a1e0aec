// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an execution generated last, kept in a file of its own: a line with the fingerprint, then a line per source.
 *
 * @param fingerprint of what it was generated from
 * @param outputs digests of the sources by path in the output folder
 */
record GenerationState(String fingerprint, SortedMap<String, String> outputs) {
    private static final String SEPARATOR = "  ";

    /** The state in a file; empty if there is none, or none that can be understood. */
    static Optional<GenerationState> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        SortedMap<String, String> outputs = new TreeMap<>();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            int end = line.indexOf(SEPARATOR);
            if (end < 0) {
                return Optional.empty();
            }
            outputs.put(line.substring(end + SEPARATOR.length()), line.substring(0, end));
        }
        return lines.isEmpty() ? Optional.empty() : Optional.of(new GenerationState(lines.get(0), outputs));
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(fingerprint));
        outputs.forEach((path, digest) -> lines.add(digest + SEPARATOR + path));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    /** Whether the sources are still as they were generated. */
    boolean isIntactIn(Path outputDirectory) throws IOException {
        for (Map.Entry<String, String> output : outputs.entrySet()) {
            Path file = outputDirectory.resolve(output.getKey());
            if (!Files.exists(file) || !Fingerprint.of(file).equals(output.getValue())) {
                return false;
            }
        }
        return true;
    }
}
