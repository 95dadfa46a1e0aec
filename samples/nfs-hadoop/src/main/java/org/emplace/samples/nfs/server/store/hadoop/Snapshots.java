// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.CacheShares;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.jspecify.annotations.Nullable;

/**
 * Names of directories, remembered for the further pages of listings. If there are too many, those of the peer that lists most are forgotten ({@link
 * CacheShares}). Safe for use by several threads.
 */
final class Snapshots {

    /**
     * A name and the number of its file.
     *
     * @param file its state, if further pages are to show that
     */
    record Entry(long number, FileName name, Optional<FoundFile> file) {}

    /**
     * Names of a directory in the order of their numbers.
     *
     * @param after the number that the first entry follows
     * @param complete whether no names follow these
     * @param unchanged the time of the directory's last change if any later change has another time
     * @param read when the directory had been read, by {@link System#nanoTime}
     */
    record Part(long after, List<Entry> entries, boolean complete, Optional<FileTime> unchanged, long read) {
        /** The last number. */
        long last() {
            return entries.isEmpty() ? after : entries.get(entries.size() - 1).number();
        }

        /** The entries after a number, which need not be that of an entry. */
        List<Entry> entriesAfter(long number) {
            int low = 0;
            int high = entries.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (entries.get(middle).number() <= number) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return entries.subList(low, entries.size());
        }
    }

    /** A file system's clock advances within this time. */
    static final Duration CLOCK_ADVANCES = Duration.ofMillis(10);

    /** The longest time for which listings begin with the same names. It is short, because users may set a directory's time. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final int most;
    private final Map<Long, Part> kept = new HashMap<>();
    private final CacheShares<Long> shares = new CacheShares<>();

    /** @param most the most names to remember */
    Snapshots(int most) {
        this.most = most;
    }

    /** The most names of one directory to read at a time. */
    int mostOfOne() {
        return Math.max(1, most / 4);
    }

    /** Remembers names for a peer. */
    synchronized void keep(Object peer, long directory, Part part) {
        kept.put(directory, part);
        use(peer, directory, part);
        while (shares.weight() > most) {
            Optional<Long> next = shares.next(each -> each != directory);
            if (next.isEmpty()) {
                return;
            }
            shares.remove(next.get());
            kept.remove(next.get());
        }
    }

    private void use(Object peer, long directory, Part part) {
        shares.use(peer, directory, 1L + part.entries().size());
    }

    /** The first part of a directory, if it is remembered and shows the directory as it was after its last change. */
    synchronized @Nullable Part beginning(Object peer, long directory, FileTime modified) {
        @Nullable Part part = kept.get(directory);
        boolean current = part != null
                && part.after() <= Listings.PARENT
                && part.unchanged().filter(modified::equals).isPresent()
                && modified.toMillis() <= System.currentTimeMillis()
                && System.nanoTime() - part.read() < LONGEST.toNanos();
        return used(peer, directory, current ? part : null);
    }

    /** The part of a directory that continues after a number, if it is remembered. */
    synchronized @Nullable Part after(Object peer, long directory, long number) {
        @Nullable Part part = kept.get(directory);
        boolean goesOn = part != null && part.after() <= number && (part.complete() || number < part.last());
        return used(peer, directory, goesOn ? part : null);
    }

    private @Nullable Part used(Object peer, long directory, @Nullable Part part) {
        if (part != null) {
            use(peer, directory, part);
        }
        return part;
    }
}
