// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.Path;
import org.emplace.samples.nfs.server.store.Store;

/** Opens stores of directories. */
@FunctionalInterface
public interface StoreOpener {
    /**
     * Opens the store of a directory.
     *
     * @param deferred whether changes may be answered before they are on stable storage
     * @throws IOException with a message of one line that says what to do
     */
    Store open(Path directory, boolean deferred) throws IOException;
}
