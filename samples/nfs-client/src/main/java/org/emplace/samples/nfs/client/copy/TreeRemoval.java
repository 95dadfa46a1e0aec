// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsPath;
import org.jspecify.annotations.Nullable;

/**
 * Removes files and trees of any file system, several files at a time. Removes symbolic links and does not follow them. On a server it
 * finds what is in a tree by the handles of the directories, so that it stays in them if somebody replaces one by a link meanwhile.
 */
public final class TreeRemoval implements AutoCloseable {
    /** The deepest nesting of directories. A hostile server could send a tree without end. */
    static final int DEEPEST = 1000;

    private final BiConsumer<String, IOException> failed;
    private final FileTasks tasks = new FileTasks();
    private final List<Path> directories = new ArrayList<>();
    private final AtomicBoolean anyFailed = new AtomicBoolean();

    /** @param failed notified of each file that could not be removed, by its name and the reason; called by several threads */
    public TreeRemoval(BiConsumer<String, IOException> failed) {
        this.failed = failed;
    }

    /**
     * What to remove.
     *
     * @param seen the file to remove; if the path has another file, that is kept. Null removes whatever is there.
     */
    public record Target(Path path, @Nullable PosixFileAttributes seen) {}

    /** Removes files, and directories with everything in them. Returns when all are removed or have failed. */
    public void remove(Collection<Target> tops) throws InterruptedException {
        for (Target top : tops) {
            if (isThere(top)) {
                empty(top.path(), 0);
            }
        }
        tasks.finish();
        directories.forEach(this::delete);
        directories.clear();
    }

    private boolean isThere(Target top) {
        @Nullable PosixFileAttributes seen = top.seen();
        if (seen == null) {
            return true;
        }
        try {
            return top.path() instanceof NfsPath remote
                    ? remote.hasListedFile()
                    : Present.at(top.path(), LinkOption.NOFOLLOW_LINKS)
                            .filter(now -> Objects.equals(seen.fileKey(), now.fileKey())
                                    && seen.creationTime().equals(now.creationTime())) // a new file may get the key
                            .isPresent();
        } catch (IOException e) {
            failed(top.path(), e);
            return false;
        }
    }

    /** Deletes the files below a path, and collects the directories, children first. */
    private void empty(Path path, int depth) throws InterruptedException {
        try {
            Optional<DirectoryStream<Path>> listing = Present.entries(path, null);
            if (listing.isPresent()) {
                try (DirectoryStream<Path> entries = listing.get()) {
                    empty(entries, depth);
                }
                directories.add(path);
            } else {
                tasks.submit(() -> delete(path));
            }
        } catch (IOException e) {
            failed(path, e);
        }
    }

    private void empty(DirectoryStream<Path> entries, int depth) throws IOException, InterruptedException {
        if (depth > DEEPEST) {
            throw new IOException("Directories are nested more than " + DEEPEST + " deep");
        }
        try {
            for (Path entry : entries) {
                empty(entry, depth + 1);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void delete(Path path) {
        try {
            if (path instanceof NfsPath remote) {
                remote.deleteEntry();
            } else {
                Files.delete(path);
            }
        } catch (DirectoryNotEmptyException e) {
            if (!anyFailed.get()) { // otherwise the files that are left have been reported
                failed(path, e);
            }
        } catch (IOException e) {
            failed(path, e);
        }
    }

    private void failed(Path path, IOException cause) {
        anyFailed.set(true);
        failed.accept(FileNames.text(path), cause);
    }

    /** Ends what {@link #remove} has not finished. */
    @Override
    public void close() {
        tasks.close();
    }
}
