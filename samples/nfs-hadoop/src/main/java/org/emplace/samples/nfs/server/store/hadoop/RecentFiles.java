// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;

/**
 * The attributes that the name node recently reported. Asking it for every READ would take longer than reading the data. A client never sees
 * attributes older than those it has seen before, because each answer of the name node replaces the one before. Safe for use by several threads.
 */
final class RecentFiles {
    private static final int MOST = 4096;

    /** The longest time for which READs may miss another Hadoop client's change. */
    private static final Duration LONGEST = Duration.ofMillis(100);

    /**
     * A file with the time of its state: the clock, and the number of files that this store had closed, because closing a file changes the name
     * node's answer.
     */
    private record Known(Located file, long nanoTime, long closings) {}

    private final Map<Long, Known> known = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Known> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Keeps the name node's answer.
     *
     * @param asked the time before the request
     */
    synchronized void keep(Located file, long asked, long closings) {
        known.put(file.inode(), new Known(file, asked, closings));
    }

    /** A file in a recent state, if known. */
    synchronized Optional<Located> find(long inode, long closings) {
        return Optional.ofNullable(known.get(inode))
                .filter(each -> each.closings() == closings && System.nanoTime() - each.nanoTime() < LONGEST.toNanos())
                .map(Known::file);
    }

    /** Forgets a file that is gone. */
    synchronized void forget(long inode) {
        known.remove(inode);
    }
}
