// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.compiler.CompileResult;

/**
 * What an execution generated last, and of what: kept in a file of its own, a line with the fingerprint, then a line for each file.
 *
 * @param fingerprint of the options, and of which files were to be compiled
 * @param inputs digests by path of what the compiler read and of what it looked for in vain, jars apart
 * @param outputs digests of the sources by path in the output folder
 */
record GenerationState(String fingerprint, SortedMap<String, String> inputs, SortedMap<String, String> outputs) {
    private static final String SEPARATOR = "  ";
    private static final String INPUT = "input";
    private static final String OUTPUT = "output";

    /** The state after a run of the compiler. */
    static GenerationState of(String fingerprint, CompileResult result) throws IOException {
        SortedMap<String, String> inputs = new TreeMap<>();
        for (Path file : result.dependencies().read()) {
            addInput(inputs, file);
        }
        for (Path file : result.dependencies().absent()) {
            addInput(inputs, file);
        }
        SortedMap<String, String> outputs = new TreeMap<>();
        result.generated()
                .forEach((path, text) -> outputs.put(path, Fingerprint.of(text.getBytes(StandardCharsets.UTF_8))));
        return new GenerationState(fingerprint, inputs, outputs);
    }

    /** What is in a jar does not change unless the jar does, which the fingerprint has. */
    private static void addInput(Map<String, String> inputs, Path file) throws IOException {
        if (file.getFileSystem().equals(FileSystems.getDefault())) {
            inputs.put(file.toString(), Fingerprint.of(file));
        }
    }

    /** The state in a file; empty if there is none, or none that can be understood. */
    static Optional<GenerationState> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        SortedMap<String, String> inputs = new TreeMap<>();
        SortedMap<String, String> outputs = new TreeMap<>();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String[] parts = line.split(SEPARATOR, 3);
            if (parts.length < 3) {
                return Optional.empty();
            }
            (parts[0].equals(INPUT) ? inputs : outputs).put(parts[2], parts[1]);
        }
        return lines.isEmpty() ? Optional.empty() : Optional.of(new GenerationState(lines.get(0), inputs, outputs));
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(fingerprint));
        inputs.forEach((path, digest) -> lines.add(String.join(SEPARATOR, INPUT, digest, path)));
        outputs.forEach((path, digest) -> lines.add(String.join(SEPARATOR, OUTPUT, digest, path)));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    /** Whether compiling again would give what is there already. */
    boolean isCurrent(String fingerprintNow, Path outputDirectory) throws IOException {
        return fingerprint.equals(fingerprintNow)
                && areIntact(inputs, Path.of(""))
                && areIntact(outputs, outputDirectory);
    }

    private static boolean areIntact(Map<String, String> files, Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (!Fingerprint.of(folder.resolve(file.getKey())).equals(file.getValue())) {
                return false;
            }
        }
        return true;
    }
}
