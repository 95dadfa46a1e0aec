// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;
import org.jspecify.annotations.Nullable;

/**
 * Brings changes of names and attributes to stable storage before they are answered, if the options require it. Links and special files are
 * stored with their directories.
 *
 * @param verifier changes if that fails, because data written to a file may be lost with its attributes
 */
record StableStorage(Durability durability, WriteVerifier verifier) {

    /**
     * Opens a file that is about to be changed, for {@link #commit}. If it cannot be opened, because of a lease or a lack of descriptors, nothing has
     * happened yet. It is opened for each change, because the kernel reports lost data only once for each time that a file was opened. Returns null if there is nothing to commit.
     */
    @Nullable
    Descriptor open(FileNode file) throws IOException {
        if (!concerns(file)) {
            return null;
        }
        long opened = reopen(file);
        // Without root's rights the server cannot commit a file that it may not open.
        return Errno.EACCES.is(opened) ? null : Descriptor.of(opened, "opening for fsync");
    }

    private boolean concerns(FileNode file) {
        return durability == Durability.SYNCHRONOUS
                && (file.attributes().isRegular() || file.attributes().isDirectory());
    }

    private static long reopen(FileNode file) {
        return SystemCalls.reopen(file.number(), SystemCalls.READ_ONLY | SystemCalls.NON_BLOCKING);
    }

    /**
     * Commits the changes.
     *
     * @throws IOException but never JUKEBOX, because the change has been made
     */
    void commit(@Nullable Descriptor changed) throws IOException {
        if (changed != null) {
            commit(changed.number());
        }
    }

    void commit(int descriptor) throws IOException {
        long result = durability == Durability.SYNCHRONOUS ? SystemCalls.synchronize(descriptor) : 0;
        if (result < 0) {
            verifier.dataLost();
            throw new IOException("fsync failed with error number " + -result);
        }
    }

    /**
     * Commits the attributes of a directory that was just created. Its name, and usually its attributes too, are committed with its parent, so it
     * need not be possible to open it.
     */
    void commitMade(FileNode directory) throws IOException {
        long opened = concerns(directory) ? reopen(directory) : -1;
        if (opened >= 0) {
            try (Descriptor descriptor = new Descriptor((int) opened)) {
                commit(descriptor);
            }
        }
    }
}
