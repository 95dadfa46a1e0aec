// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileOperation;

/** Finds files by id. The default methods suit a locator that records no locations. Safe for use by several threads. */
interface FileLocator extends Closeable {

    /**
     * Opens a file only to locate it (O_PATH).
     *
     * @param id one that {@link FileIds#require} accepts
     * @throws org.emplace.samples.nfs.server.store.StoreException of STALE if the file is gone, of JUKEBOX if the search for it continues
     */
    Descriptor open(FileId id) throws IOException;

    /** Records where a file is. Nobody renames it until this returns. */
    default void seen(FileId file, FileId directory, FileName name) {}

    /** Records that a file has lost this name. */
    default void lost(FileId file, FileId directory, FileName name) {}

    /** Records that a file no longer has any name. */
    default void removed(FileId file) {}

    /** Records that a directory has moved. */
    default void moved(FileId directory) {}

    /** Runs an action. Meanwhile this process renames nothing, if that matters for recording locations. */
    default <T> T whileNothingMoves(FileOperation<T> action) throws IOException {
        return action.run();
    }

    /** Runs an action that renames a file and records it. */
    default <T> T moving(FileOperation<T> action) throws IOException {
        return action.run();
    }

    @Override
    default void close() throws IOException {}
}
