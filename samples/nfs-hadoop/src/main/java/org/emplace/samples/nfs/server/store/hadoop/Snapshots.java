// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.jspecify.annotations.Nullable;

/** Names of directories, remembered for the further pages of listings. Safe for use by several threads. */
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
     */
    record Part(long after, List<Entry> entries, boolean complete) {
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

    private final int most;
    private final Map<Long, Part> kept = new LinkedHashMap<>(16, 0.75f, true);
    private int names;

    /** @param most the most names to remember */
    Snapshots(int most) {
        this.most = most;
    }

    /** The most names of one directory to read at a time. */
    int mostOfOne() {
        return Math.max(1, most / 4);
    }

    synchronized void keep(long directory, Part part) {
        @Nullable Part former = kept.put(directory, part);
        names += 1
                + part.entries().size()
                - (former == null ? 0 : 1 + former.entries().size());
        Iterator<Part> eldest = kept.values().iterator();
        while (names > most && kept.size() > 1) {
            names -= 1 + eldest.next().entries().size();
            eldest.remove();
        }
    }

    /** The part of a directory that continues after a number, if it is remembered. */
    synchronized @Nullable Part after(long directory, long number) {
        @Nullable Part part = kept.get(directory);
        boolean goesOn = part != null && part.after() <= number && (part.complete() || number < part.last());
        return goesOn ? part : null;
    }
}
