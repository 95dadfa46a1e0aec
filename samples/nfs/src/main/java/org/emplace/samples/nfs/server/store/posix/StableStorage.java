// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import org.emplace.samples.nfs.server.store.WriteVerifier;

/**
 * Puts changes of names and attributes on stable storage before they are answered, if that is wanted. Links and special files go with their directories.
 *
 * @param verifier changes if that fails: what was written to a file may be lost with its attributes
 */
record StableStorage(Durability durability, WriteVerifier verifier) {

    /** Commits a directory's or regular file's metadata. */
    void commit(FileNode file) throws IOException {
        boolean wanted = durability == Durability.SYNCHRONOUS
                && (file.attributes().isRegular() || file.attributes().isDirectory());
        if (wanted) {
            int flags = SystemCalls.READ_ONLY | SystemCalls.NON_BLOCKING;
            long opened = SystemCalls.reopen(file.number(), flags);
            // Without root's rights the server cannot commit what it may not open.
            if (!Errno.EACCES.is(opened)) {
                try (Descriptor descriptor = Descriptor.of(opened, "opening for fsync")) {
                    synchronize(descriptor);
                }
            }
        }
    }

    private void synchronize(Descriptor file) throws IOException {
        long result = SystemCalls.synchronize(file.number());
        if (result < 0) {
            verifier.dataLost();
        }
        Errno.check(result, "fsync");
    }
}
