// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.emplace.samples.nfs.client.files.NfsPath;

/**
 * The temporary files and links of a copy, which are renamed when they are complete. The end of the copy deletes those that remain, even if
 * a signal ends the program, unless their server does not answer for some seconds. Safe for use by several threads.
 */
final class PartFiles implements AutoCloseable {
    private static final long AT_EXIT_MILLIS = Duration.ofSeconds(3).toMillis();

    private final Set<Path> present = ConcurrentHashMap.newKeySet();
    private final ReadWriteLock creating = new ReentrantReadWriteLock();
    private final Thread atExit = new Thread(this::deleteForAWhile, "nfs-part-files");
    private volatile boolean closed;

    PartFiles() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Creates a file or link. */
    @FunctionalInterface
    interface Creation<R> {
        R create() throws IOException;
    }

    /** Whether the copy has been ended. */
    boolean isClosed() {
        return closed;
    }

    /** A name for a temporary file in the directory of a target; no file has it. */
    static Path beside(Path target) {
        return target.resolveSibling(
                ".nfs-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".part");
    }

    /** Creates a temporary file or link. */
    <R> R create(Path part, Creation<R> creation) throws IOException {
        creating.readLock().lock();
        try {
            if (closed) {
                throw new IOException("Interrupted");
            }
            present.add(part);
            return creation.create();
        } finally {
            creating.readLock().unlock();
        }
    }

    /** Renames it to its target. */
    void move(Path part, Path target) throws IOException {
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        present.remove(part);
    }

    /** Deletes it, unless it has been renamed. Does so even if the thread is interrupted. */
    void discard(Path part) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            if (present.remove(part)) {
                if (part instanceof NfsPath remote) {
                    remote.deleteForGood(); // it may be open still
                } else {
                    Files.deleteIfExists(part);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void deleteForAWhile() {
        Thread deletion = new Thread(this::deleteAll, atExit.getName());
        deletion.setDaemon(true);
        deletion.start();
        try {
            deletion.join(AT_EXIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Local files first: they need no server. */
    private void deleteAll() {
        closed = true;
        boolean quiet = false;
        try {
            quiet = creating.writeLock().tryLock(AT_EXIT_MILLIS / 3, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Path> left = present.stream()
                .sorted(Comparator.comparing(NfsPath.class::isInstance))
                .toList();
        for (Path part : left) {
            try {
                discard(part);
            } catch (IOException e) {
                // The program is ending: there is nobody to report it to.
            }
        }
        if (quiet) {
            creating.writeLock().unlock();
        }
    }

    @Override
    public void close() {
        deleteAll();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The program is ending; there is nothing left for the hook to do.
        }
    }
}
