// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Caches the directories of paths without links, so that the next path through them takes one LOOKUP. An entry lasts a few seconds, because
 * renames by other clients go unnoticed that long. Entries below a directory that this client renames or removes are dropped. Safe for use
 * by several threads.
 */
public final class DirectoryCache {
    private static final int MOST_ENTRIES = 1_000;
    private static final int MOST_MOVES = 256;
    private static final long LASTING_NANOS = Duration.ofSeconds(3).toNanos();

    private final Map<List<XdrString>, Entry> entries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<XdrString>, Entry> eldest) {
            return size() > MOST_ENTRIES;
        }
    };

    private final Deque<Move> moves = new ArrayDeque<>(); // the latest, each a generation
    private long generation;

    /**
     * @param trail the directories from below the root to the last name
     */
    private record Entry(List<RemoteNode> trail, long nanoTime) {}

    /** A directory entry that was changed when a generation began. */
    private record Move(NfsFh3 directory, XdrString name, long generation) {

        /** The root's handle is not known here, so for an entry of the root the name is enough. */
        boolean concerns(List<XdrString> path, List<RemoteNode> trail) {
            for (int at = 0; at < path.size(); at++) {
                if (path.get(at).equals(name)
                        && (at == 0 || trail.get(at - 1).handle().equals(directory))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A number that grows whenever an entry is dropped. */
    public synchronized long generation() {
        return generation;
    }

    /** The cached directories of a path, from the root; null if the path is not cached. */
    synchronized @Nullable List<RemoteNode> find(List<XdrString> path) {
        @Nullable Entry entry = entries.get(path);
        return entry != null && System.nanoTime() - entry.nanoTime() < LASTING_NANOS ? entry.trail() : null;
    }

    /** Adds directories, unless they may have moved since they were looked up. */
    synchronized void add(List<XdrString> path, List<RemoteNode> trail, long lookedUpIn) {
        boolean known = lookedUpIn + moves.size() >= generation;
        if (known && moves.stream().noneMatch(move -> move.generation() > lookedUpIn && move.concerns(path, trail))) {
            entries.put(path, new Entry(trail, System.nanoTime()));
        }
    }

    /** Adds a directory that was created in another, if that one is cached under the path. */
    public synchronized void addCreated(List<XdrString> path, NfsFh3 in, RemoteNode created, long createdIn) {
        List<XdrString> above = path.subList(0, path.size() - 1);
        @Nullable List<RemoteNode> parents = above.isEmpty() ? List.of() : find(above);
        if (parents != null
                && (above.isEmpty() || parents.get(parents.size() - 1).handle().equals(in))) {
            List<RemoteNode> trail = new ArrayList<>(parents);
            trail.add(created);
            add(path, trail, createdIn);
        }
    }

    /** Drops the paths that go through a directory's entry. Call it before the entry changes, and again after. */
    synchronized void forget(NfsFh3 directory, XdrString name) {
        generation++;
        Move move = new Move(directory, name, generation);
        moves.addLast(move);
        if (moves.size() > MOST_MOVES) {
            moves.removeFirst();
        }
        entries.entrySet()
                .removeIf(
                        entry -> move.concerns(entry.getKey(), entry.getValue().trail()));
    }

    /** Empties the cache. */
    public synchronized void clear() {
        entries.clear();
        moves.clear();
        generation++;
    }
}
