// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;

/**
 * Finds files of which only the id is known: after a restart, or when somebody else moved them. Walks the tree breadth first and notes everything that it passes, so that
 * one walk finds all files that clients still hold. A call goes on where the last one stopped and takes a bounded number of steps. A file is gone if a walk that began
 * after the first question did not meet it; until then the client is asked to come again. Safe for use by several threads.
 */
final class TreeSearch {
    private static final int STEPS = 50_000;
    private static final int IDS_KEPT = 1 << 14;
    private static final long PAUSE = Duration.ofSeconds(2).toNanos();

    /** A walk that takes no longer than this can be made again at once. */
    private static final long SHORT_WALK = Duration.ofMillis(50).toNanos();

    private final IndexedHandles index;
    private final FileIds ids;
    private final FileId root;
    private final LongSupplier nanoTime;
    private final Deque<FileId> pending = new ConcurrentLinkedDeque<>();
    private final RecentIds gone = new RecentIds(IDS_KEPT);
    private final RecentIds asked = new RecentIds(IDS_KEPT);
    private volatile boolean walking;
    private long walks;
    private long start;
    private long earliestStart;

    TreeSearch(IndexedHandles index, FileIds ids, FileId root, LongSupplier nanoTime) {
        this.index = index;
        this.ids = ids;
        this.root = root;
        this.nanoTime = nanoTime;
    }

    /**
     * Looks for a file; its location, and those of the directories above it, are then in the index.
     *
     * @throws StoreException of STALE if the file is gone, of JUKEBOX if that is not known yet
     */
    void find(FileId wanted) throws IOException {
        if (gone.of(wanted).isPresent()) {
            throw stale(wanted);
        }
        walk(wanted);
    }

    private static StoreException stale(FileId id) {
        return new StoreException(Failure.STALE, "the file is gone: " + id);
    }

    private synchronized void walk(FileId wanted) throws IOException {
        long askedIn = asked.add(wanted, walks);
        if (!walking) {
            long now = nanoTime.getAsLong();
            if (walks > 0 && now - earliestStart < 0) {
                throw new StoreException(Failure.JUKEBOX, "to be looked for: " + wanted);
            }
            start = now;
            walks++;
            walking = true;
            pending.add(root);
        }
        boolean found = false;
        int steps = 0;
        while (!found) {
            FileId next = pending.poll();
            if (next == null) {
                end(wanted, askedIn);
                throw new StoreException(Failure.JUKEBOX, "to be looked for: " + wanted);
            }
            if (steps > STEPS) {
                pending.addFirst(next);
                throw new StoreException(Failure.JUKEBOX, "still looking for a file: " + wanted);
            }
            steps++;
            try (Descriptor directory = index.openKnown(next)) {
                if (directory != null) {
                    steps += visitAll(directory, next);
                }
            } catch (StoreException unreadable) {
                // What changes or cannot be read during the walk is not found by it.
            }
            found = index.knows(wanted);
        }
        asked.remove(wanted);
    }

    private void end(FileId wanted, long askedIn) throws StoreException {
        walking = false;
        long now = nanoTime.getAsLong();
        earliestStart = now - start <= SHORT_WALK ? now : now + PAUSE;
        if (askedIn < walks) {
            asked.remove(wanted);
            gone.add(wanted, walks);
            throw stale(wanted);
        }
    }

    private int visitAll(Descriptor directory, FileId id) throws IOException {
        int steps = 0;
        try (EntryStream entries = EntryStream.open(directory, 0)) {
            for (EntryStream.Entry entry = entries.next(); entry != null; entry = entries.next()) {
                FileName name = entry.name();
                index.whileNothingMoves(() -> visit(directory, id, name));
                steps++;
            }
        }
        return steps;
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
                pending.add(id);
            }
            return true;
        }
    }

    /** A directory was moved, perhaps from where the walk has not been to where it has: so the walk visits it by itself. */
    void moved(FileId directory) {
        if (walking) {
            pending.add(directory);
        }
    }

    /** A file has no name any more. */
    void gone(FileId file) {
        gone.add(file, 0);
    }

    /** A file was met by somebody. */
    void found(FileId file) {
        gone.remove(file);
    }
}
