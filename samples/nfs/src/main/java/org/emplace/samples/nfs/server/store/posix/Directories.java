// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.EntryVisitor;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories. Cookies are the file system's own offsets ({@link Cookies}). The directory of a listing stays open for a while with the entries
 * read so far, so that the next call continues without searching for its position.
 */
final class Directories implements Closeable {
    private static final long VERIFIER = 0;
    private static final FileName SELF = FileName.of(".");
    private static final FileName PARENT = FileName.of("..");

    private final DirectoryTree tree;
    private final Rights rights;
    private final EntryStreams streams;

    /** @param kept the most directories to keep open */
    Directories(DirectoryTree tree, Credentials credentials, int kept) {
        this.streams = new EntryStreams(kept, Duration.ofSeconds(30), System::nanoTime);
        this.tree = tree;
        this.rights = new Rights(credentials);
    }

    ListingResult list(Caller caller, FileId id, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        if (cookie < 0 || (cookie != Cookies.START && verifier != VERIFIER)) {
            throw new StoreException(Failure.BAD_COOKIE, "not a cookie of this store: " + cookie);
        }
        try (FileNode directory = tree.directory(id)) {
            rights.requireList(caller, directory);
            boolean maySearch = rights.maySearch(caller, directory);
            boolean end = listDots(caller, directory, cookie, withFiles && maySearch, visitor)
                    && listNames(caller, directory, cookie, withFiles && maySearch, visitor);
            return new ListingResult(directory.now(), VERIFIER, end);
        }
    }

    private boolean listDots(Caller caller, FileNode directory, long cookie, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        if (cookie < Cookies.SELF
                && !visitor.take(new DirectoryEntry(
                        SELF, directory.attributes().number(), Cookies.SELF, found(directory, withFiles)))) {
            return false;
        }
        return cookie >= Cookies.PARENT || visitor.take(parent(caller, directory, withFiles));
    }

    private DirectoryEntry parent(Caller caller, FileNode directory, boolean withFile) throws IOException {
        if (withFile) {
            try (FileNode parent = tree.lookup(caller, directory, PARENT)) {
                return new DirectoryEntry(PARENT, parent.attributes().number(), Cookies.PARENT, found(parent, true));
            } catch (StoreException notToBeFound) {
                // Moved out of the tree, or too deep: the entry gets only a number.
            }
        }
        return new DirectoryEntry(PARENT, tree.parentsNumber(caller, directory), Cookies.PARENT, Optional.empty());
    }

    private static Optional<FoundFile> found(FileNode file, boolean wanted) {
        return wanted ? Optional.of(new FoundFile(file.id(), file.attributes())) : Optional.empty();
    }

    private boolean listNames(Caller caller, FileNode directory, long from, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        long cookie = Math.max(from, Cookies.PARENT);
        EntryStreams.Reading reading = streams.take(directory, cookie);
        EntryStream stream = reading.entries();
        boolean keep = false;
        try {
            EntryStream.Entry next = stream.next();
            while (next != null) {
                DirectoryEntry entry = entry(directory, next, withFiles);
                if (entry != null) {
                    if (!visitor.take(entry)) {
                        stream.putBack();
                        keep = true;
                        return false;
                    }
                    cookie = entry.cookie();
                }
                next = stream.next();
            }
            return true;
        } finally {
            if (keep) {
                streams.keep(caller.peer(), directory.id(), cookie, reading);
            } else {
                stream.close();
            }
        }
    }

    /** Returns null for an entry that was removed since the directory was read. */
    private @Nullable DirectoryEntry entry(FileNode directory, EntryStream.Entry listed, boolean withFile)
            throws IOException {
        long cookie = Cookies.of(listed.next());
        if (!withFile) {
            return new DirectoryEntry(listed.name(), listed.number(), cookie, Optional.empty());
        }
        try {
            FoundFile file = tree.found(directory, listed.name());
            return new DirectoryEntry(listed.name(), file.attributes().number(), cookie, Optional.of(file));
        } catch (StoreException e) {
            return e.failure() == Failure.NOENT
                    ? null
                    : new DirectoryEntry(listed.name(), listed.number(), cookie, Optional.empty());
        }
    }

    @Override
    public void close() throws IOException {
        streams.close();
    }

    /**
     * Directory cookies. They are the file system's own offsets, which may be counters or hashes of 63 bits. The values 0, 1 and 2 are reserved for the
     * start, "." and "..". An entry with one of these offsets, in a file system that counts, gets a value that no such file system reaches. Linux clients
     * need positive cookies.
     */
    static final class Cookies {
        static final long START = 0;
        static final long SELF = 1;
        static final long PARENT = 2;

        private static final long MOVED = Long.MAX_VALUE - 8;

        private Cookies() {}

        /** The cookie of an entry, made from the offset of the entry after it. */
        static long of(long offset) throws IOException {
            if (offset < 0) {
                throw new IOException("the file system has directory offsets that clients cannot use: " + offset);
            }
            return offset <= PARENT ? MOVED + offset : offset;
        }

        /** The offset at which a listing continues after a cookie. */
        static long offset(long cookie) {
            if (cookie <= PARENT) {
                return 0;
            }
            return cookie >= MOVED && cookie <= MOVED + PARENT ? cookie - MOVED : cookie;
        }
    }
}
