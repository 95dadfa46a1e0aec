// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

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

/** Removes files and trees, on whatever file system, several files at a time. Symbolic links are removed, not followed. */
public final class TreeRemoval implements AutoCloseable {
    /** How many directories may be in one another; the trees of an honest server have a bottom. */
    static final int DEEPEST = 1000;

    private final BiConsumer<String, IOException> failed;
    private final FileTasks tasks = new FileTasks();
    private final List<Path> directories = new ArrayList<>();
    private final AtomicBoolean anyFailed = new AtomicBoolean();

    /** @param failed told the name of what could not be removed, and why; the rest is. Called by several threads */
    public TreeRemoval(BiConsumer<String, IOException> failed) {
        this.failed = failed;
    }

    /** Removes files, and directories with everything in them. Returns when they are gone or something has failed. */
    public void remove(Collection<Path> tops) throws InterruptedException {
        for (Path top : tops) {
            empty(top, 0);
        }
        tasks.finish();
        directories.forEach(this::delete);
        directories.clear();
    }

    /** Deletes the files below a path, and collects its directories, children first. */
    private void empty(Path path, int depth) throws InterruptedException {
        try {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
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
            if (!anyFailed.get()) { // otherwise what is left has been told
                failed(path, e);
            }
        } catch (IOException e) {
            failed(path, e);
        }
    }

    private void failed(Path path, IOException cause) {
        anyFailed.set(true);
        failed.accept(RemoteName.text(path), cause);
    }

    /** Gives up what {@link #remove} has not finished. */
    @Override
    public void close() {
        tasks.close();
    }
}
