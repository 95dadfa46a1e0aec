// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary folders of a run. */
final class Folders {
    private Folders() {}

    /** Deletes a folder and its contents. */
    static void delete(Path folder) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(folder)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
