// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;

/** Finds files by id. Safe for use by several threads. */
interface FileLocator extends Closeable {

    /**
     * Opens a file to locate it only (O_PATH).
     *
     * @param id one that {@link FileIds#require} accepts
     * @throws org.emplace.samples.nfs.server.store.StoreException of STALE if the file is gone, of JUKEBOX if it is still looked for
     */
    Descriptor open(FileId id) throws IOException;

    /** A file is here: nobody renames it until this returns. */
    void seen(FileId file, FileId directory, FileName name);

    /** A file lost this name. */
    void lost(FileId file, FileId directory, FileName name);

    /** A file has no name any more. */
    void removed(FileId file);

    /** A directory has another place now. */
    void moved(FileId directory);

    /** Runs an action while nothing is renamed by this process, where that matters for noting where files are. */
    <T> T whileNothingMoves(Action<T> action) throws IOException;

    /** Runs an action that renames a file and notes it. */
    <T> T moving(Action<T> action) throws IOException;

    /** Something to do. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }
}
