// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * The directories that lead to paths without links, so that the next path through them takes one LOOKUP. An entry lasts a few seconds, as long as
 * other clients' renames may go unnoticed; what this client renames or removes empties the cache. Safe for use by several threads.
 */
final class DirectoryCache {
    private static final int MOST_ENTRIES = 1_000;
    private static final long LASTING_NANOS = Duration.ofSeconds(3).toNanos();

    private final Map<List<XdrString>, Entry> entries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<XdrString>, Entry> eldest) {
            return size() > MOST_ENTRIES;
        }
    };

    private long generation;

    /**
     * @param trail the directories from below the root to the last name
     */
    private record Entry(List<RemoteNode> trail, long nanoTime) {}

    /** Changes whenever the cache is emptied. */
    synchronized long generation() {
        return generation;
    }

    /** The directories of a path from the root, or null. */
    synchronized @Nullable List<RemoteNode> find(List<XdrString> path) {
        @Nullable Entry entry = entries.get(path);
        return entry != null && System.nanoTime() - entry.nanoTime() < LASTING_NANOS ? entry.trail() : null;
    }

    /** Remembers directories, unless the cache has been emptied since they were looked up. */
    synchronized void add(List<XdrString> path, List<RemoteNode> trail, long lookedUpIn) {
        if (lookedUpIn == generation) {
            entries.put(path, new Entry(trail, System.nanoTime()));
        }
    }

    /** Empties the cache. */
    synchronized void clear() {
        entries.clear();
        generation++;
    }
}
