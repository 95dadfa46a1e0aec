// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.samples.nfs.server.handle.FileKey;

/**
 * Where files were last seen: in which directory, by which name. A hint, which its users check; at most so many files, the least recently
 * used are forgotten. Since a file points to its directory and not to a path, renaming a directory moves everything below it. Safe for use by
 * several threads.
 */
final class Locations {
    private static final int NAMES_KEPT = 8;

    private final Map<FileKey, List<Location>> byFile = new LinkedHashMap<>(1024, 0.75f, true);
    private final int limit;

    /** @param limit how many files to remember; positive */
    Locations(int limit) {
        this.limit = limit;
    }

    /** A directory and a name in it. */
    record Location(FileKey directory, Path name) {}

    /** The file was seen here. */
    synchronized void record(FileKey file, FileKey directory, Path name) {
        Location location = new Location(directory, name);
        List<Location> known = byFile.computeIfAbsent(file, k -> new ArrayList<>(1));
        if (!known.contains(location)) {
            known.add(0, location);
            if (known.size() > NAMES_KEPT) {
                known.remove(NAMES_KEPT);
            }
            if (byFile.size() > limit) {
                byFile.remove(byFile.keySet().iterator().next());
            }
        }
    }

    /** The file is not there any more. */
    synchronized void forget(FileKey file, FileKey directory, Path name) {
        List<Location> known = byFile.get(file);
        if (known != null) {
            known.remove(new Location(directory, name));
            if (known.isEmpty()) {
                byFile.remove(file);
            }
        }
    }

    /** The file is nowhere any more. */
    synchronized void forget(FileKey file) {
        byFile.remove(file);
    }

    /** Where to look for the file, the latest place first. */
    synchronized List<Location> of(FileKey file) {
        List<Location> known = byFile.get(file);
        return known == null ? List.of() : List.copyOf(known);
    }
}
