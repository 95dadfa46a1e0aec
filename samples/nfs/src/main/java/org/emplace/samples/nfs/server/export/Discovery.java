// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.handle.FileKey;

/**
 * Finds files of which only the key is known: after a restart, or when someone else moved them. Walks the export breadth first and notes
 * everything that it passes, so that one walk finds all handles that clients still hold. A call goes on where the last one stopped and takes a
 * bounded number of steps. Safe for use by several threads.
 */
final class Discovery {
    private static final int STEPS = 50_000;
    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    private final Path root;
    private final AttributeSource attributes;
    private final Locations locations;
    private final LongSupplier nanoTime;
    private final Deque<Directory> pending = new ArrayDeque<>();
    private boolean walked;
    private long lastWalk;

    Discovery(Path root, AttributeSource attributes, Locations locations, LongSupplier nanoTime) {
        this.root = root;
        this.attributes = attributes;
        this.locations = locations;
        this.nanoTime = nanoTime;
    }

    private record Directory(FileKey key, Path path) {}

    /**
     * Looks for a file; its location, and those of the directories above it, are then in {@link Locations}.
     *
     * @return false if it was not met, and a whole walk was done lately
     * @throws ExportException of JUKEBOX if the walk is not at its end yet
     */
    synchronized boolean find(FileKey wanted) throws IOException {
        boolean fromStart = pending.isEmpty();
        if (fromStart && !mayStart()) {
            return false;
        }
        if (fromStart) {
            start();
        }
        boolean found = false;
        int steps = 0;
        while (!found) {
            Directory next = pending.poll();
            if (next == null) {
                walked = true;
                lastWalk = nanoTime.getAsLong();
                return false;
            }
            if (steps > STEPS) {
                pending.addFirst(next);
                throw new ExportException(Failure.JUKEBOX, "still looking for the file of a handle");
            }
            int before = steps;
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(next.path())) {
                for (Path entry : entries) {
                    steps++;
                    found |= visit(next, entry).equals(wanted);
                }
            } catch (DirectoryIteratorException | IOException unreadable) {
                // What changes or cannot be read during the walk is not found by it.
                steps = Math.max(steps, before + 1);
            }
        }
        return true;
    }

    private boolean mayStart() {
        return !walked || nanoTime.getAsLong() - lastWalk > PAUSE;
    }

    private void start() throws IOException {
        pending.add(new Directory(attributes.key(root), root));
    }

    private FileKey visit(Directory directory, Path entry) throws IOException {
        FileAttributes seen = attributes.read(entry);
        locations.record(seen.key(), directory.key(), entry.getFileName());
        if (seen.isDirectory()) {
            pending.add(new Directory(seen.key(), entry));
        }
        return seen.key();
    }
}
