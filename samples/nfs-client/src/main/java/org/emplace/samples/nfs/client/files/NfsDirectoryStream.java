// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.DirectoryReader;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory, requested from the server as they are needed. If somebody replaces the directory meanwhile, those of the new one
 * follow, without the names that have been found before.
 */
final class NfsDirectoryStream implements DirectoryStream<Path> {
    /** The most names that a stream remembers. When it has found so many, it cannot begin again. */
    private static final int MOST_NAMES = 100_000;

    private static final int MOST_REPLACEMENTS = 5;

    private final NfsPath directory;
    private DirectoryReader.Listing listing;
    private final Filter<? super Path> filter;
    private final boolean byName;
    private final Deque<NfsPath> ready = new ArrayDeque<>();
    private final Set<XdrString> found = new HashSet<>();
    private long seenChanges;
    private long seenAt;
    private int replacements;
    private boolean stale;
    private boolean iterated;
    private boolean closed;

    /** @param byName whether the path leads to the directory, so that it may lead to another one later */
    NfsDirectoryStream(
            NfsPath directory, DirectoryReader.Listing listing, Filter<? super Path> filter, boolean byName) {
        this.directory = directory;
        this.listing = listing;
        this.filter = filter;
        this.byName = byName;
        this.seenChanges = directory.getFileSystem().changes();
        this.seenAt = System.nanoTime();
    }

    @Override
    public synchronized Iterator<Path> iterator() {
        if (closed) {
            throw new IllegalStateException("the directory stream is closed");
        }
        if (iterated) {
            throw new IllegalStateException("the directory stream has an iterator already");
        }
        iterated = true;
        return new Entries();
    }

    @Override
    public synchronized void close() {
        closed = true;
        listing.close();
    }

    private synchronized @Nullable NfsPath nextEntry() {
        try {
            while (!closed) {
                while (ready.isEmpty() && !listing.ended()) {
                    load();
                }
                @Nullable NfsPath entry = ready.poll();
                if (entry == null || filter.accept(entry)) {
                    return entry;
                }
            }
            return null;
        } catch (IOException e) {
            throw new DirectoryIteratorException(e);
        }
    }

    /** Loads the next part. It may be as old as the load before, which requested it. */
    private void load() throws IOException {
        NfsFileSystem fileSystem = directory.getFileSystem();
        long changes = fileSystem.changes();
        long now = System.nanoTime();
        List<DirectoryReader.Entry> part = fileSystem.perform(directory, null, this::nextPart);
        for (DirectoryReader.Entry entry : part) {
            if (!isRepeated(entry.name())) {
                ready.add(directory.entry(
                        entry.name(), new NfsPath.SeenNode(entry.node(), listing.directory(), seenChanges, seenAt)));
            }
        }
        seenChanges = changes;
        seenAt = now;
    }

    /** Not if one directory has a name twice: the reader is to see that. */
    private boolean isRepeated(XdrString name) {
        boolean repeated = byName && (found.size() < MOST_NAMES ? !found.add(name) : found.contains(name));
        return repeated && replacements > 0;
    }

    /** If somebody has replaced the directory since it was found, lists the new one. */
    private List<DirectoryReader.Entry> nextPart(NfsMount mount) throws IOException, InterruptedException {
        if (stale) {
            NfsFh3 current = directory.getFileSystem().operations().directoryToList(directory);
            listing.close();
            listing = mount.directories().open(current);
            stale = false;
        }
        try {
            return listing.next();
        } catch (NfsException e) {
            stale = byName
                    && e.status() == Nfsstat3.NFS3ERR_STALE
                    && found.size() < MOST_NAMES
                    && replacements++ < MOST_REPLACEMENTS;
            throw e;
        }
    }

    private final class Entries implements Iterator<Path> {
        private @Nullable NfsPath next;

        @Override
        public boolean hasNext() {
            if (next == null) {
                next = nextEntry();
            }
            return next != null;
        }

        @Override
        public Path next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            NfsPath entry = next;
            next = null;
            if (entry == null) {
                throw new NoSuchElementException();
            }
            return entry;
        }
    }
}
