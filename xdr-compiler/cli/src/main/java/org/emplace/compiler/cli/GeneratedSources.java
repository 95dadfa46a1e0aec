// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.output.ContentDigest;
import org.emplace.compiler.output.GenerationState;
import org.emplace.compiler.output.GenerationStates;

/**
 * The sources that runs for the same files generate into a folder. A subfolder records them for each package and set of files, so that several
 * protocols may share a folder, and even a package. If none of the files of a record exists any longer, its sources are removed.
 */
final class GeneratedSources {

    private static final String RECORDS = ".xdrc";
    private static final String UNUSED = "-";
    private static final String HERE = ".";

    private final Path folder;
    private final SortedMap<String, String> inputs = new TreeMap<>();
    private final String packageName;
    private final GenerationStates states;

    GeneratedSources(Path folder, String packageName, List<CompileRequest.Source> requested) {
        this.folder = folder;
        this.packageName = packageName;
        Path base = folder.toAbsolutePath().normalize();
        // Relative to the folder, so that both may be moved together.
        requested.forEach(source -> inputs.put(
                base.relativize(source.path().toAbsolutePath().normalize())
                        .toString()
                        .replace('\\', '/'),
                UNUSED));
        String files = ContentDigest.of(String.join("\n", inputs.keySet()).getBytes(StandardCharsets.UTF_8));
        this.states = new GenerationStates(
                base,
                base.resolve(RECORDS),
                packageName + "-" + files.substring(0, 16),
                (name, state) -> state.inputs().keySet().stream().anyMatch(input -> Files.exists(base.resolve(input))));
    }

    /** A file that would be overwritten, and may be the user's. */
    Optional<Path> foreign(Set<String> paths) throws IOException {
        return states.foreign(folder, paths);
    }

    /** Writes the sources, and removes those that are no longer generated. Returns how many were removed. */
    int write(SortedMap<String, String> generated) throws IOException {
        SortedMap<String, String> outputs = new TreeMap<>();
        generated.keySet().forEach(path -> outputs.put(path, UNUSED));
        new OutputFolder(folder).write(generated);
        return states.settle(new GenerationState(packageName, HERE, inputs, outputs));
    }
}
