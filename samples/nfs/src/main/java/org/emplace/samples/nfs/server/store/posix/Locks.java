// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import org.emplace.samples.nfs.server.store.StripedLocks;

/**
 * Locks that make the attributes before and after an operation consistent, because no other client's operation comes between them. A thread that
 * holds a directory's lock may take a file's, but not the other way around.
 */
record Locks(StripedLocks directories, StripedLocks files) {
    Locks() {
        this(new StripedLocks(), new StripedLocks());
    }

    Object of(FileNode file) {
        return (file.attributes().isDirectory() ? directories : files).of(file.id());
    }
}
