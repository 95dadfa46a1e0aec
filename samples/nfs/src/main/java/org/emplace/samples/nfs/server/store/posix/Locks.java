// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import org.emplace.samples.nfs.server.store.StripedLocks;

/**
 * The locks that keep the attributes before and after an operation together: no other client's operation comes between. Whoever holds a directory's may enter a file's, never
 * the other way round.
 */
record Locks(StripedLocks directories, StripedLocks files) {
    Locks() {
        this(new StripedLocks(), new StripedLocks());
    }

    Object of(FileNode file) {
        return (file.attributes().isDirectory() ? directories : files).of(file.id());
    }
}
