// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.posix.FileLocator.IndexLocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds files of which only the id is known, after a restart or when another program has moved them. Walks the tree breadth first and records every
 * file that it passes, so that one walk finds all files that clients still use. Each call continues where the last one stopped, for a short time.
 * Only one thread walks; other callers get JUKEBOX. A file is gone if a whole walk that began after the first request did not find it; until then the
 * answer is JUKEBOX. Safe for use by several threads.
 */
final class TreeSearch implements Closeable {
    private static final long LONGEST_CALL = Duration.ofMillis(500).toNanos();
    private static final int PENDING = 1 << 19;
    private static final int IDS_KEPT = 1 << 14;
    private static final long PAUSE = Duration.ofSeconds(2).toNanos();

    /** A walk that takes no longer than this can be made again at once. */
    private static final long SHORT_WALK = Duration.ofMillis(50).toNanos();

    private final IndexLocator index;
    private final FileIds ids;
    private final FileId root;
    private final LongSupplier nanoTime;
    private final BlockingQueue<FileId> pending = new LinkedBlockingQueue<>(PENDING);
    private final RecentIds gone = new RecentIds(IDS_KEPT);
    private final RecentIds asked = new RecentIds(IDS_KEPT);
    private final ReentrantLock walker = new ReentrantLock();
    private volatile boolean walking;
    /** Whether the walk visits everything. It does not if there are more directories to visit than it can record. */
    private volatile boolean whole;

    private final AtomicLong walks = new AtomicLong();
    private long start;
    private long earliestStart;
    private @Nullable Visited visited;

    TreeSearch(IndexLocator index, FileIds ids, FileId root, LongSupplier nanoTime) {
        this.index = index;
        this.ids = ids;
        this.root = root;
        this.nanoTime = nanoTime;
    }

    /** A directory that has been read in part. */
    private record Visited(FileId directory, EntryStream entries) {}

    /**
     * Searches for a file. Its location, and those of the directories above it, are then in the index.
     *
     * @throws StoreException of STALE if the file is gone, of JUKEBOX if that is not known yet
     */
    void find(FileId wanted) throws IOException {
        if (gone.of(wanted).isPresent()) {
            throw stale(wanted);
        }
        long askedIn = asked.add(wanted, walks.get());
        if (!walker.tryLock()) {
            throw new StoreException(Failure.JUKEBOX, "waiting for the search for other files: " + wanted);
        }
        try {
            walk(wanted, askedIn);
        } finally {
            walker.unlock();
        }
    }

    private static StoreException stale(FileId id) {
        return new StoreException(Failure.STALE, "the file is gone: " + id);
    }

    private void walk(FileId wanted, long askedIn) throws IOException {
        long now = nanoTime.getAsLong();
        if (!walking) {
            if (walks.get() > 0 && now - earliestStart < 0) {
                throw new StoreException(Failure.JUKEBOX, "waiting for the search: " + wanted);
            }
            start = now;
            walks.incrementAndGet();
            whole = true;
            walking = true;
            note(root);
        }
        while (!index.knows(wanted)) {
            if (!step()) {
                end(wanted, askedIn);
                throw new StoreException(Failure.JUKEBOX, "waiting for the search: " + wanted);
            }
            if (nanoTime.getAsLong() - now > LONGEST_CALL) {
                throw new StoreException(Failure.JUKEBOX, "still searching for a file: " + wanted);
            }
        }
    }

    /** Visits the next name. Returns false if there is none. The walk does not find files that change or cannot be read at that moment. */
    private boolean step() throws IOException {
        Visited in = visited;
        if (in == null) {
            FileId next = pending.poll();
            if (next == null) {
                return false;
            }
            try (Descriptor directory = index.openKnown(next)) {
                visited = directory == null ? null : new Visited(next, EntryStream.open(directory, 0));
            } catch (StoreException unreadable) {
                // Continues with the next name.
            }
            return true;
        }
        boolean more = false;
        try {
            EntryStream.Entry entry = in.entries().next();
            if (entry != null) {
                index.whileNothingMoves(() -> visit(in.entries().directory(), in.directory(), entry.name()));
                more = true;
            }
        } catch (StoreException unreadable) {
            // As above.
        } finally {
            if (!more) {
                leave();
            }
        }
        return true;
    }

    private void leave() throws IOException {
        Visited left = visited;
        visited = null;
        if (left != null) {
            left.entries().close();
        }
    }

    private void end(FileId wanted, long askedIn) throws StoreException {
        walking = false;
        long now = nanoTime.getAsLong();
        earliestStart = now - start <= SHORT_WALK ? now : now + PAUSE;
        if (whole && askedIn < walks.get()) {
            asked.remove(wanted);
            gone.add(wanted, walks.get());
            throw stale(wanted);
        }
    }

    private boolean visit(Descriptor directory, FileId directoryId, FileName name) throws IOException {
        long opened = SystemCalls.locate(directory.number(), NameBytes.terminated(name));
        if (opened < 0) {
            return false;
        }
        try (Descriptor file = new Descriptor((int) opened)) {
            FileStatus status = file.status();
            FileId id = ids.of(file, status);
            index.seen(id, directoryId, name);
            if (status.attributes().isDirectory()) {
                note(id);
            }
            return true;
        }
    }

    private void note(FileId directory) {
        if (!pending.offer(directory)) {
            whole = false;
        }
    }

    /**
     * Records that a directory has moved. The walk then visits it separately, because it may have moved from a part that is not visited yet to one
     * that has been.
     */
    void moved(FileId directory) {
        if (walking) {
            note(directory);
        }
    }

    /** Records that a file no longer has any name. */
    void gone(FileId file) {
        gone.add(file, 0);
    }

    /** Records that a file has been found. */
    void found(FileId file) {
        gone.remove(file);
        asked.remove(file);
    }

    @Override
    public void close() throws IOException {
        walker.lock();
        try {
            leave();
        } finally {
            walker.unlock();
        }
    }

    /** Numbers recorded for a limited number of files; drops the oldest first. Safe for use by several threads. */
    private static final class RecentIds {
        private final Map<FileId, Long> numbers = new LinkedHashMap<>();
        private final int limit;

        RecentIds(int limit) {
            this.limit = limit;
        }

        /** Records a number for a file, unless it has one. Returns its number. */
        synchronized long add(FileId file, long number) {
            Long former = numbers.putIfAbsent(file, number);
            if (numbers.size() > limit) {
                numbers.remove(numbers.keySet().iterator().next());
            }
            return former == null ? number : former;
        }

        synchronized void remove(FileId file) {
            numbers.remove(file);
        }

        synchronized OptionalLong of(FileId file) {
            Long number = numbers.get(file);
            return number == null ? OptionalLong.empty() : OptionalLong.of(number);
        }
    }
}
