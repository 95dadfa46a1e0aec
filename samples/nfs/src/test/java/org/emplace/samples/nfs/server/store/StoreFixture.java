// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.util.Set;

/** Files for a store to be tested with. They outlast the store, so that a test can restart it. */
public interface StoreFixture extends AutoCloseable {

    /** What a store may or may not be able to do, beside what {@link StoreLimits} says. Tests assert both. */
    enum Feature {
        /** Names and symbolic links are any bytes; where not, UTF-8 only, and anything else is refused as ACCES. */
        NAMES_OF_ANY_BYTES,
        /** Names may have colons; where not, ACCES. */
        NAMES_WITH_COLONS,
        /**
         * What was written can be written again with other bytes; where not, that is NOTSUPP and changes nothing. It can always be written again with
         * the same bytes.
         */
        OVERWRITING,
        /** Permission bits can be set; where not, setting them succeeds or is NOTSUPP. */
        MODES,
        /** Set-id bits can be set too. */
        SET_ID_MODES,
        /** Who made a file without write permission can write to it all the same, as after open(2); where not, that is ACCES. */
        MAKERS_WRITE_READ_ONLY_FILES,
        /** Times are kept to the nanosecond; where not, to the millisecond. */
        NANOSECONDS,
        /** FIFOs and sockets can be made; where not, MKNOD is NOTSUPP. */
        SPECIAL_FILES,
        /** A file may have a size of several GiB of which it takes only what was written. */
        SPARSE_FILES
    }

    /** What the store can do. */
    Set<Feature> features();

    /** How many files a large directory has; fewer where it takes long to make them. */
    default int many() {
        return 20_000;
    }

    /** Opens a store over the files, which are the same for each call. The store that was opened before is closed. */
    Store open() throws IOException;

    /** Removes what this fixture holds. The store is closed. */
    @Override
    void close() throws IOException;
}
