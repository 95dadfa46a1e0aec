// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.output;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.compiler.source.Dependencies;

/**
 * The record of the last generation, kept in a file: a line with the fingerprint and the output folder, then a line for each file.
 *
 * @param fingerprint of the options and of the selection of files to compile
 * @param outputFolder the folder of the sources, relative to the base of the {@link GenerationStates}
 * @param inputs by path, the files that the compiler read or did not find, except those in jars; with digests if a caller asks whether the state is
 *     current
 * @param outputs by path in the output folder, the sources; with digests under the same condition
 */
public record GenerationState(
        String fingerprint, String outputFolder, SortedMap<String, String> inputs, SortedMap<String, String> outputs) {

    private static final String SEPARATOR = "  ";
    private static final String INPUT = "input";
    private static final String OUTPUT = "output";

    /** The state after a run of the compiler. */
    public static GenerationState of(
            String fingerprint, String outputFolder, Dependencies dependencies, Map<String, String> generated)
            throws IOException {
        SortedMap<String, String> inputs = new TreeMap<>();
        for (Path file : dependencies.read()) {
            addInput(inputs, file);
        }
        for (Path file : dependencies.absent()) {
            addInput(inputs, file);
        }
        SortedMap<String, String> outputs = new TreeMap<>();
        generated.forEach((path, text) -> outputs.put(path, ContentDigest.of(text.getBytes(StandardCharsets.UTF_8))));
        return new GenerationState(fingerprint, outputFolder, inputs, outputs);
    }

    /** Adds an input. Files in jars are left out: the fingerprint covers the jar. */
    private static void addInput(Map<String, String> inputs, Path file) throws IOException {
        if (file.getFileSystem().equals(FileSystems.getDefault())) {
            inputs.put(file.toString(), ContentDigest.of(file));
        }
    }

    /** Reads a state from a file. Returns empty if there is none, or if it is malformed. */
    static Optional<GenerationState> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return parse(Files.readAllLines(file));
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static Optional<GenerationState> parse(List<String> lines) {
        String[] head = lines.isEmpty() ? new String[0] : lines.get(0).split(SEPARATOR, 2);
        if (head.length < 2) {
            return Optional.empty();
        }
        SortedMap<String, String> inputs = new TreeMap<>();
        SortedMap<String, String> outputs = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] parts = line.split(SEPARATOR, 3);
            if (parts.length < 3) {
                return Optional.empty();
            }
            (parts[0].equals(INPUT) ? inputs : outputs).put(parts[2], parts[1]);
        }
        return Optional.of(new GenerationState(head[0], head[1], inputs, outputs));
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(fingerprint + SEPARATOR + outputFolder));
        inputs.forEach((path, digest) -> lines.add(String.join(SEPARATOR, INPUT, digest, path)));
        outputs.forEach((path, digest) -> lines.add(String.join(SEPARATOR, OUTPUT, digest, path)));
        Files.createDirectories(file.getParent());
        // A partial file would list too few inputs, and so seem current. Therefore the whole file is renamed into
        // place.
        Path whole = Files.write(file.resolveSibling(file.getFileName() + ".new"), lines);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The sources as paths relative to the base. */
    List<String> sources() {
        return outputs.keySet().stream().map(path -> outputFolder + "/" + path).toList();
    }

    /** Whether compiling again would give the same files. */
    public boolean isCurrent(String fingerprintNow, Path outputDirectory) throws IOException {
        return fingerprint.equals(fingerprintNow)
                && areIntact(inputs, Path.of(""))
                && areIntact(outputs, outputDirectory);
    }

    private static boolean areIntact(Map<String, String> files, Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (!ContentDigest.of(folder.resolve(file.getKey())).equals(file.getValue())) {
                return false;
            }
        }
        return true;
    }
}
