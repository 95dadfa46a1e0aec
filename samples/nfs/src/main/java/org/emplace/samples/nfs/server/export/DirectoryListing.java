// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The names of a directory at one time, in the order of their cookies. */
final class DirectoryListing {

    /** A name and where it stands. */
    record Entry(long cookie, FileName fileName, Path name) {}

    private final FileTime modified;
    private final FileTime changed;
    private final List<Entry> entries;

    private DirectoryListing(FileAttributes directory, List<Entry> entries) {
        this.modified = directory.modified();
        this.changed = directory.changed();
        this.entries = entries;
    }

    /** Reads a directory. */
    static DirectoryListing of(Node directory, FileNames names, DirectoryCookies cookies) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory.path())) {
            for (Path path : stream) {
                Path name = path.getFileName();
                FileName fileName = names.fileName(path);
                entries.add(new Entry(cookies.of(fileName), fileName, name));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.comparingLong(Entry::cookie).thenComparing(Entry::name));
        separate(entries);
        return new DirectoryListing(directory.attributes(), entries);
    }

    /** Two names of a million have the same cookie once in a million directories; the second then takes the next number. */
    private static void separate(List<Entry> entries) {
        for (int i = 1; i < entries.size(); i++) {
            long previous = entries.get(i - 1).cookie();
            Entry entry = entries.get(i);
            if (entry.cookie() <= previous) {
                entries.set(i, new Entry(previous + 1, entry.fileName(), entry.name()));
            }
        }
    }

    /** Whether the directory looks as it did. */
    boolean isOf(FileAttributes now) {
        return modified.equals(now.modified()) && changed.equals(now.changed());
    }

    int size() {
        return entries.size();
    }

    /** What comes after a cookie, which need not be one of an entry that is still there. */
    List<Entry> after(long cookie) {
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
        return entries.subList(low, entries.size());
    }
}
