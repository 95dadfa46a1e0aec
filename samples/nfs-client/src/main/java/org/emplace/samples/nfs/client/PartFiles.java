// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The files that a download writes before they get their names. None of them stays behind when it ends, not even when a signal ends the
 * program.
 */
final class PartFiles implements AutoCloseable {
    private final Set<Path> present = new HashSet<>();
    private final Thread atExit = new Thread(this::deleteAll, "nfs-part-files");
    private boolean closed;

    PartFiles() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Creates an empty file where one of this name is to be. */
    synchronized Path createFor(Path target) throws IOException {
        if (closed) {
            throw new IOException("Interrupted");
        }
        Path part = Files.createTempFile(target.toAbsolutePath().getParent(), ".nfs-", ".part");
        present.add(part);
        return part;
    }

    /** Deletes the file, unless it has its name by now. */
    synchronized void delete(Path part) throws IOException {
        present.remove(part);
        Files.deleteIfExists(part);
    }

    private synchronized void deleteAll() {
        closed = true;
        for (Path part : present) {
            part.toFile().delete();
        }
        present.clear();
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
