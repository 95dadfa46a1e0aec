// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FoundFile;

/** Directories of files that each have a number, {@code attributes().number()}, which is above 2 and stays the same while the file has its name. */
interface NumberedFiles {

    /** A file and its name. */
    record Named(FileName name, FoundFile file) {}

    /**
     * The directory that an id names, as it is now.
     *
     * @throws org.emplace.samples.nfs.server.store.StoreException of STALE if it is gone, of NOTDIR if it is none
     */
    FoundFile directory(FileId id) throws IOException;

    /** The directory above one; the root's is the root. */
    FoundFile parent(FoundFile directory) throws IOException;

    /** What a directory has by a name that is not "." or "..", if anything. */
    Optional<FoundFile> named(FoundFile directory, FileName name) throws IOException;

    /** Hands over the files of a directory that have numbers after one, in any order. */
    void each(FoundFile directory, long after, Consumer<Named> taker) throws IOException;
}
