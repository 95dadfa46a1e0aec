// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.StoreException;

/**
 * Opens files by their kernel handles, which requires CAP_DAC_READ_SEARCH.
 *
 * @param root any file that is open for reading on the file system; not closed here
 */
record HandleLocator(Descriptor root) implements FileLocator {
    private static final int ATTEMPTS = 50;
    private static final long PAUSE_NANOS = 100_000;

    /** Whether the process may open files by their handles, and the file system supports that. */
    static boolean works(Descriptor root, FileId id) throws IOException {
        long opened = open(root, id);
        if (opened >= 0) {
            new Descriptor((int) opened).close();
        }
        return opened >= 0;
    }

    @Override
    public Descriptor open(FileId id) throws IOException {
        long opened = open(root, id);
        if (Errno.EINVAL.is(opened)) {
            throw new StoreException(Failure.BADHANDLE, "not a handle of this file system: " + id);
        }
        return Descriptor.of(opened, "opening by handle");
    }

    /**
     * Opens a file. For a file that is gone, Linux sometimes answers ENOMEM while files are being created, and ESTALE a moment later (seen with ext4
     * on 6.18, within 14 attempts). A lasting lack of memory stays ENOMEM.
     */
    private static long open(Descriptor root, FileId id) {
        int flags = SystemCalls.PATH_ONLY | SystemCalls.NO_FOLLOW;
        long opened = SystemCalls.openByHandle(root.number(), FileIds.handle(id), flags);
        for (int attempt = 1; attempt < ATTEMPTS && Errno.ENOMEM.is(opened); attempt++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            opened = SystemCalls.openByHandle(root.number(), FileIds.handle(id), flags);
        }
        return opened;
    }
}
