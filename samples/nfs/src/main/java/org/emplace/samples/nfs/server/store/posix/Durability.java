// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;

/** When changes of names and attributes are on stable storage. */
public enum Durability {
    /** Before the reply, as RFC 1813 section 4.8 wants. */
    SYNCHRONOUS {
        @Override
        void commit(FileNode file) throws IOException {
            if (file.attributes().isRegular() || file.attributes().isDirectory()) {
                int flags = SystemCalls.READ_ONLY | SystemCalls.NON_BLOCKING;
                long opened = SystemCalls.reopen(file.number(), flags);
                // Without root's rights the server cannot commit what it may not open.
                if (!Errno.EACCES.is(opened)) {
                    try (Descriptor descriptor = Descriptor.of(opened, "opening for fsync")) {
                        Errno.check(SystemCalls.synchronize(descriptor.number()), "fsync");
                    }
                }
            }
        }
    },
    /** When the operating system gets to it: a crash of the machine, not one of the server, may lose the last seconds. */
    DEFERRED {
        @Override
        void commit(FileNode file) {}
    };

    /** Puts a directory's or regular file's metadata on stable storage, if that is wanted. Links and special files go with their directories. */
    abstract void commit(FileNode file) throws IOException;
}
