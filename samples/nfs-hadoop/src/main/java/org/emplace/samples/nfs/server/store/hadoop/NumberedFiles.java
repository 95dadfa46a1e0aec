// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FoundFile;

/** Directories of files with numbers. A number, {@code attributes().number()}, is above 2 and stays the same while the file has its name. */
interface NumberedFiles {

    /** A file and its name. */
    record Named(FileName name, FoundFile file) {}

    /**
     * The directory of an id in its current state.
     *
     * @throws org.emplace.samples.nfs.server.store.StoreException of STALE if it is gone, of NOTDIR if it is not a directory
     */
    FoundFile directory(FileId id) throws IOException;

    /** The parent of a directory; of the root, the root. */
    Parent parent(FoundFile directory) throws IOException;

    /**
     * The parent of a directory.
     *
     * @param file empty if it takes a search to know whether clients may reach it
     */
    record Parent(long number, Optional<FoundFile> file) {
        static Parent of(FoundFile file) {
            return new Parent(file.attributes().number(), Optional.of(file));
        }
    }

    /** The entry of a directory with a name other than "." or "..", if there is one. */
    Optional<FoundFile> named(FoundFile directory, FileName name) throws IOException;

    /** Passes the files of a directory with numbers above a given one to a consumer, in any order. */
    void each(FoundFile directory, long after, Taker taker) throws IOException;

    /** Takes files one by one. */
    @FunctionalInterface
    interface Taker {
        void accept(Named file) throws IOException;
    }
}
