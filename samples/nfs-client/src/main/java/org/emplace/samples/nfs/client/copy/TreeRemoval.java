// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.emplace.samples.nfs.client.files.FileNames;

/** Removes files and trees of any file system, several files at a time. Removes symbolic links and does not follow them. */
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

    /** Removes files, and directories with everything in them. Returns when all are removed or have failed. */
    public void remove(Collection<Path> tops) throws InterruptedException {
        for (Path top : tops) {
            empty(top, 0);
        }
        tasks.finish();
        directories.forEach(this::delete);
        directories.clear();
    }

    /** Deletes the files below a path, and collects the directories, children first. */
    private void empty(Path path, int depth) throws InterruptedException {
        try {
            if (!Present.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                tasks.submit(() -> delete(path));
                return;
            }
            if (depth > DEEPEST) {
                throw new IOException("Directories are nested more than " + DEEPEST + " deep");
            }
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    empty(entry, depth + 1);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            directories.add(path);
        } catch (IOException e) {
            failed(path, e);
        }
    }

    private void delete(Path path) {
        try {
            Files.delete(path);
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
