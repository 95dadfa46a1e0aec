// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;

/**
 * The directories and names under which files were last seen. These are hints, which callers verify. Bounded by the number of names, of which a file
 * may have several; the names of the least recently used files are dropped. A file refers to its directory instead of a path, so renaming a directory moves everything below it. Safe for use by several threads.
 */
final class Locations {
    private static final int NAMES_KEPT = 4;

    private final Map<FileId, List<Location>> byFile = new LinkedHashMap<>(1024, 0.75f, true);
    private final int limit;
    private int names;

    /** @param limit the most names to remember; positive */
    Locations(int limit) {
        this.limit = limit;
    }

    /** A directory and a name in it. */
    record Location(FileId directory, FileName name) {}

    /** Notes that the file was seen here. */
    synchronized void add(FileId file, Location location) {
        List<Location> known = byFile.computeIfAbsent(file, f -> new ArrayList<>(1));
        if (!known.isEmpty() && known.get(0).equals(location)) {
            return;
        }
        names -= known.size();
        known.remove(location);
        known.add(0, location);
        if (known.size() > NAMES_KEPT) {
            known.remove(NAMES_KEPT);
        }
        names += known.size();
        Iterator<List<Location>> leastUsed = byFile.values().iterator();
        while (names > limit && byFile.size() > 1) {
            names -= leastUsed.next().size();
            leastUsed.remove();
        }
    }

    /** Notes that the file is no longer there. */
    synchronized void remove(FileId file, Location location) {
        List<Location> known = byFile.get(file);
        if (known != null && known.remove(location)) {
            names--;
            if (known.isEmpty()) {
                byFile.remove(file);
            }
        }
    }

    /** Where to look for the file, the most recent location first. */
    synchronized List<Location> of(FileId file) {
        List<Location> known = byFile.get(file);
        return known == null ? List.of() : List.copyOf(known);
    }
}
