// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import org.emplace.samples.nfs.server.store.Store.Space;
import org.emplace.samples.nfs.server.store.StoreLimits;

/** The result of statvfs(3) for a file system. */
record FileSystemStatus(Space space, boolean readOnly, int longestName) {
    private static final int FIELDS = 16;
    private static final int READ_ONLY = 1;
    private static final int LINKS_LIMIT = 0;

    /** The value of glibc for file systems that it does not know. They allow more. */
    private static final long LINKS_UNKNOWN = 127;

    /** @param file any file of the file system that is open for reading */
    static FileSystemStatus of(Descriptor file) throws IOException {
        long[] status = new long[FIELDS];
        Errno.check(SystemCalls.fileSystemStatus(file.number(), status), "asking for room on the file system");
        long unit = status[1];
        Space space = new Space(status[2] * unit, status[3] * unit, status[4] * unit, status[5], status[6]);
        return new FileSystemStatus(space, (status[9] & READ_ONLY) != 0, (int) status[10]);
    }

    /** The limits of a store on it. Linux does not tell the largest size of a file. */
    StoreLimits limits(Descriptor file, boolean actsAsCaller) {
        long links = SystemCalls.limit(file.number(), LINKS_LIMIT);
        long mostLinks = links > 0 && links != LINKS_UNKNOWN ? links : Integer.MAX_VALUE;
        return new StoreLimits(true, actsAsCaller, true, true, true, readOnly, mostLinks, longestName, Long.MAX_VALUE);
    }
}
