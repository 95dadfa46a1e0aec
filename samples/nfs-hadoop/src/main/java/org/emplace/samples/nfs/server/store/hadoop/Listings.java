// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.EntryVisitor;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.Turns;
import org.emplace.samples.nfs.server.store.hadoop.Listings.NumberedFiles.Named;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories in the order of the files' numbers. A cookie is such a number, so a listing can continue from any cookie at any time, as long as
 * the numbers stay the same. Safe for use by several threads.
 */
final class Listings {
    private static final long SELF = 1;
    static final long PARENT = 2;

    /** Smaller directories are read again for each page. */
    private static final int READ_AT_ONCE = 1000;

    /** The most larger directories that are read at a time: each takes much memory, and much of the name node's time. */
    private static final int READERS = 2;

    /** How long a call waits until it may read a larger directory. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Comparator<Named> ORDER = Comparator.comparingLong(Listings::number);

    private final NumberedFiles files;
    private final long verifier;
    private final boolean asksAgain;
    private final Snapshots snapshots;
    private final Turns readers = new Turns(READERS, LONGEST_WAIT);

    /**
     * @param verifier the same as long as the numbers have the same meaning
     * @param asksAgain whether each file of a further page is looked up again, or shown as it was when the directory was read
     * @param mostNames the most names to remember
     */
    Listings(NumberedFiles files, long verifier, boolean asksAgain, int mostNames) {
        this.files = files;
        this.verifier = verifier;
        this.asksAgain = asksAgain;
        this.snapshots = new Snapshots(mostNames);
    }

    /**
     * The number of names to remember.
     *
     * @param most the number if they fit in an eighth of the heap; otherwise as many as fit
     * @param bytes the memory that a name takes, with what is remembered of its file
     */
    static int fitting(int most, int bytes) {
        return (int) Math.min(most, Runtime.getRuntime().maxMemory() / 8 / bytes);
    }

    private static long number(Named each) {
        return number(each.file());
    }

    private static long number(FoundFile file) {
        return file.attributes().number();
    }

    ListingResult list(Object peer, FileId id, long cookie, long givenVerifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        FoundFile directory = files.directory(id);
        if (cookie < 0 || (cookie != 0 && givenVerifier != verifier)) {
            throw new StoreException(Failure.BAD_COOKIE, "not a cookie of this store: " + cookie);
        }
        boolean end = dots(directory, cookie, withFiles, visitor)
                && named(peer, directory, Math.max(cookie, PARENT), withFiles, visitor);
        return new ListingResult(files.directory(id).attributes(), verifier, end);
    }

    private boolean dots(FoundFile directory, long cookie, boolean withFiles, EntryVisitor visitor) throws IOException {
        return (cookie >= SELF || visitor.take(entry(FileName.of("."), SELF, directory, withFiles)))
                && (cookie >= PARENT || visitor.take(parent(directory, withFiles)));
    }

    private DirectoryEntry parent(FoundFile directory, boolean withFile) throws IOException {
        NumberedFiles.Parent parent = files.parent(directory);
        return new DirectoryEntry(
                FileName.of(".."), parent.number(), PARENT, withFile ? parent.file() : Optional.empty());
    }

    private static DirectoryEntry entry(FileName name, long cookie, FoundFile file, boolean withFiles) {
        return new DirectoryEntry(name, number(file), cookie, withFiles ? Optional.of(file) : Optional.empty());
    }

    private boolean named(Object peer, FoundFile directory, long start, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        long cookie = start;
        while (true) {
            Snapshots.@Nullable Part kept = cookie == PARENT
                    ? snapshots.beginning(
                            peer, number(directory), directory.attributes().modified())
                    : snapshots.after(peer, number(directory), cookie);
            if (kept == null) {
                Read read = read(peer, directory, cookie);
                kept = part(read);
                if (kept.entries().size() > READ_AT_ONCE) {
                    snapshots.keep(peer, number(directory), kept);
                }
                if (!takeAll(read.files(), withFiles, visitor)) {
                    return false;
                }
            } else if (!takeAllNamed(directory, kept.entriesAfter(cookie), withFiles, visitor)) {
                return false;
            }
            if (kept.complete()) {
                return true;
            }
            cookie = kept.last();
        }
    }

    private static boolean takeAll(List<Named> read, boolean withFiles, EntryVisitor visitor) {
        for (Named each : read) {
            if (!visitor.take(entry(each.name(), number(each), each.file(), withFiles))) {
                return false;
            }
        }
        return true;
    }

    /** Visits names that were read for an earlier page. */
    private boolean takeAllNamed(
            FoundFile directory, List<Snapshots.Entry> entries, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        for (Snapshots.Entry each : entries) {
            Optional<FoundFile> file = each.file().isPresent() ? each.file() : files.named(directory, each.name());
            boolean same = file.isPresent() && number(file.get()) == each.number();
            if (same && !visitor.take(entry(each.name(), each.number(), file.get(), withFiles))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Files of a directory in order, just read.
     *
     * @param complete whether no files follow these
     * @param unchanged the time of the directory's last change if it did not change meanwhile
     */
    private record Read(List<Named> files, long after, boolean complete, Optional<FileTime> unchanged) {}

    private Snapshots.Part part(Read read) {
        List<Snapshots.Entry> entries = read.files().stream()
                .map(each -> new Snapshots.Entry(
                        number(each), each.name(), asksAgain ? Optional.empty() : Optional.of(each.file())))
                .toList();
        return new Snapshots.Part(read.after(), entries, read.complete(), read.unchanged(), System.nanoTime());
    }

    /** Reads the directory, and keeps as many of the files after a cookie as there is room for. */
    private Read read(Object peer, FoundFile directory, long after) throws IOException {
        long begin = System.currentTimeMillis();
        try (Kept kept = new Kept(peer)) {
            files.each(directory, after, kept::add);
            kept.keepFirst();
            Optional<FileTime> unchanged = kept.isLarge() ? unchanged(directory, begin) : Optional.empty();
            return new Read(kept.first, after, kept.complete, unchanged);
        }
    }

    /**
     * The time of the directory's last change, if it did not change while it was read, and had not changed shortly before, so that any later change
     * has another time.
     *
     * @param begin when the reading began, by the system's clock
     */
    private Optional<FileTime> unchanged(FoundFile directory, long begin) throws IOException {
        FileTime now = files.directory(directory.id()).attributes().modified();
        boolean same = now.equals(directory.attributes().modified());
        boolean known = asksAgain && now.toMillis() + Snapshots.CLOCK_ADVANCES.toMillis() < begin;
        return same && known ? Optional.of(now) : Optional.empty();
    }

    /** The files with the smallest numbers. If they are many, their thread is one of the {@link #READERS}. */
    private final class Kept implements AutoCloseable {
        private final Object peer;
        private final List<Named> first = new ArrayList<>();
        private boolean complete = true;
        private Turns.@Nullable Turn turn;

        Kept(Object peer) {
            this.peer = peer;
        }

        void add(Named file) throws StoreException {
            if (turn == null && first.size() >= READ_AT_ONCE) {
                turn = readers.take(peer);
            }
            first.add(file);
            if (first.size() > 2 * snapshots.mostOfOne()) {
                keepFirst();
            }
        }

        boolean isLarge() {
            return turn != null;
        }

        void keepFirst() {
            first.sort(ORDER);
            if (first.size() > snapshots.mostOfOne()) {
                first.subList(snapshots.mostOfOne(), first.size()).clear();
                complete = false;
            }
        }

        @Override
        public void close() {
            if (turn != null) {
                turn.close();
            }
        }
    }

    /** Directories of files with numbers. A number, {@code attributes().number()}, is above 2 and stays the same while the file has its name. */
    interface NumberedFiles {

        /** A file and its name. */
        record Named(FileName name, FoundFile file) {}

        /**
         * The directory of an id in its current state.
         *
         * @throws org.emplace.samples.nfs.server.store.StoreException of STALE if it is gone, of NOTDIR if it is not a directory
         */
        FoundFile directory(FileId id) throws IOException;

        /** The parent of a directory; of the root, the root. */
        Parent parent(FoundFile directory) throws IOException;

        /**
         * The parent of a directory.
         *
         * @param file empty if it takes a search to know whether clients may reach it
         */
        record Parent(long number, Optional<FoundFile> file) {
            static Parent of(FoundFile file) {
                return new Parent(file.attributes().number(), Optional.of(file));
            }
        }

        /** The entry of a directory with a name other than "." or "..", if there is one. */
        Optional<FoundFile> named(FoundFile directory, FileName name) throws IOException;

        /** Passes the files of a directory with numbers above a given one to a consumer, in any order. */
        void each(FoundFile directory, long after, Taker taker) throws IOException;

        /** Takes files one by one. */
        @FunctionalInterface
        interface Taker {
            void accept(Named file) throws IOException;
        }
    }
}
