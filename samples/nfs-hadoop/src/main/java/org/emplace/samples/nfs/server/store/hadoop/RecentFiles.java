// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;

/**
 * What the name node told of files a moment ago. To ask it for every READ takes longer than the data does. A client never sees older attributes than it has seen
 * before, as every answer of the name node takes the place of the one before. Safe for use by several threads.
 */
final class RecentFiles {
    private static final int MOST = 4096;

    /** So long another Hadoop client's change may go unnoticed by READs. */
    private static final Duration LONGEST = Duration.ofMillis(100);

    /** A file, and when it was so: also by how many files this store had closed, which changes what the name node says of them. */
    private record Known(Located file, long nanoTime, long closings) {}

    private final Map<Long, Known> known = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Known> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Keeps what the name node told.
     *
     * @param asked the time before it was asked
     */
    synchronized void keep(Located file, long asked, long closings) {
        known.put(file.inode(), new Known(file, asked, closings));
    }

    /** A file as it was a moment ago, if that is known. */
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
