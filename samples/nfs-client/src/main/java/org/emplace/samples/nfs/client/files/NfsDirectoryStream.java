// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.emplace.samples.nfs.client.calls.DirectoryReader;
import org.jspecify.annotations.Nullable;

/** The entries of a directory, requested from the server as they are needed. */
final class NfsDirectoryStream implements DirectoryStream<Path> {
    private final NfsPath directory;
    private final DirectoryReader.Listing listing;
    private final Filter<? super Path> filter;
    private final Deque<NfsPath> ready = new ArrayDeque<>();
    private long seenChanges;
    private long seenAt;
    private boolean iterated;
    private boolean closed;

    NfsDirectoryStream(NfsPath directory, DirectoryReader.Listing listing, Filter<? super Path> filter) {
        this.directory = directory;
        this.listing = listing;
        this.filter = filter;
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
        for (DirectoryReader.Entry entry : fileSystem.perform(directory, null, mount -> listing.next())) {
            ready.add(directory.entry(entry.name(), new NfsPath.SeenNode(entry.node(), seenChanges, seenAt)));
        }
        seenChanges = changes;
        seenAt = now;
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
