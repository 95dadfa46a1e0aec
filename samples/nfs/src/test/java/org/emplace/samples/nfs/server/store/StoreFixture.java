// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Store.Limits;

/** Files for testing a store. They outlast the store, so that a test can restart it. */
@FunctionalInterface
public interface StoreFixture extends AutoCloseable {

    /** Capabilities of a store that {@link Limits} does not describe. Tests assert the behavior with and without each. */
    enum Feature {
        /** Names and symbolic links may be any bytes; otherwise only UTF-8, and other bytes are ACCES. */
        NAMES_OF_ANY_BYTES,
        /** Names may contain colons; otherwise ACCES. */
        NAMES_WITH_COLONS,
        /**
         * Written bytes can be overwritten by others; otherwise that is NOTSUPP and changes nothing. They can always be overwritten by the same
         * bytes.
         */
        OVERWRITING,
        /** Permission bits can be set; otherwise setting them succeeds without effect or is NOTSUPP. */
        MODES,
        /** Set-id bits can be set. */
        SET_ID_MODES,
        /** The creator of a file without write permission can still write to it, as after open(2); otherwise that is ACCES. */
        MAKERS_WRITE_READ_ONLY_FILES,
        /** Times are kept to the nanosecond; otherwise to the millisecond. */
        NANOSECONDS,
        /** FIFOs and sockets can be created; otherwise MKNOD is NOTSUPP. */
        SPECIAL_FILES,
        /** A file may have a size of several GiB and take only the space that was written. */
        SPARSE_FILES,
        /** Files have holes that can be found and made, and are copied within the store; otherwise all this is NOTSUPP. */
        HOLES_AND_COPIES
    }

    /** The capabilities of the store; by default none. */
    default Set<Feature> features() {
        return Set.of();
    }

    /** The number of files in a large directory; fewer if creating them takes long. */
    default int many() {
        return 20_000;
    }

    /** Opens a store over the files, which are the same for each call. The previous store is closed. */
    Store open() throws IOException;

    /** Removes the fixture's files, unless the test removes them. Called when the store is closed. */
    @Override
    default void close() throws IOException {}
}
