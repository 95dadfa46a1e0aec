// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.emplace.samples.nfs.server.store.FileName;
import org.jspecify.annotations.Nullable;

/**
 * The names in a directory at one time, in the order of their cookies: all names or, of a large directory, those after a cookie.
 *
 * @param complete whether no entries follow the last one
 */
record Snapshot(Version version, FileTime taken, long after, boolean complete, List<Entry> entries) {
    private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::cookie)
            .thenComparing(entry -> entry.name().toString());

    /** A name and its position. */
    record Entry(long cookie, FileName name) {}

    /**
     * The state of the directory when it was opened for reading.
     *
     * @param changes the number of changes by the store itself
     * @param modified the modification time, which anybody may set
     * @param changed the change time, which nobody can set, if the file system has it
     */
    record Version(long changes, FileTime modified, FileTime changed) {
        private long latestMillis() {
            return Math.max(modified.toMillis(), changed.toMillis());
        }
    }

    /** Computes the cookie of a name, which determines its position. */
    interface Cookies {
        long of(FileName name);
    }

    /**
     * Reads a directory.
     *
     * @param after the cookie that the first entry follows
     * @param most entries to keep, those with the smallest cookies
     * @param mostRead the most names to read
     * @return null if the directory has more names
     */
    static @Nullable Snapshot of(
            DirectoryStream<Path> directory,
            Version version,
            FileTime now,
            PathNames names,
            Cookies cookies,
            long after,
            int most,
            int mostRead)
            throws IOException {
        List<Entry> entries = new ArrayList<>();
        boolean complete = true;
        try {
            int read = 0;
            for (Path path : directory) {
                if (++read > mostRead) {
                    return null;
                }
                FileName name = names.fileName(path);
                long cookie = cookies.of(name);
                if (cookie > after) {
                    entries.add(new Entry(cookie, name));
                }
                if (entries.size() >= 2 * most) {
                    complete = false;
                    smallest(entries, most);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        complete &= entries.size() <= most;
        smallest(entries, most);
        separate(entries);
        return new Snapshot(version, now, after, complete, entries);
    }

    private static void smallest(List<Entry> entries, int most) {
        entries.sort(ORDER);
        if (entries.size() > most) {
            entries.subList(most, entries.size()).clear();
        }
    }

    /** Separates equal cookies: the second name gets the next number. In directories of a million names this happens once in many millions. */
    private static void separate(List<Entry> entries) {
        for (int i = 1; i < entries.size(); i++) {
            long previous = entries.get(i - 1).cookie();
            Entry entry = entries.get(i);
            if (entry.cookie() <= previous) {
                entries.set(i, new Entry(previous + 1, entry.name()));
            }
        }
    }

    /**
     * Whether a listing that begins now may use this snapshot: nothing has changed since, neither through the store nor, judging by the directory's
     * time, otherwise. If the time was recent when the directory was read, it is no evidence, because the next change may have got the same time.
     */
    boolean isOf(Version now, long settledMillis) {
        return after == 0 && version.equals(now) && taken.toMillis() - version.latestMillis() > settledMillis;
    }

    int size() {
        return entries.size();
    }

    /** The entries after a cookie, whose own entry may no longer exist; null if they are not in this snapshot. */
    @Nullable
    List<Entry> after(long cookie) {
        if (cookie < after) {
            return null;
        }
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).cookie() <= cookie) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == entries.size() && !complete ? null : entries.subList(low, entries.size());
    }
}
