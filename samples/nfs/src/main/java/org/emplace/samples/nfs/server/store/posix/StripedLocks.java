// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.util.stream.IntStream;
import org.emplace.samples.nfs.server.store.FileId;

/** Monitors for files: the same file has the same one always, different files mostly different ones. */
final class StripedLocks {
    private static final int STRIPES = 1024;

    private final Object[] monitors =
            IntStream.range(0, STRIPES).mapToObj(i -> new Object()).toArray();

    private static int stripe(FileId file) {
        int hash = file.hashCode();
        return (hash ^ (hash >>> 16)) & (STRIPES - 1);
    }

    Object of(FileId file) {
        return monitors[stripe(file)];
    }

    /** Of two files the one whose monitor everybody enters before the other's. */
    FileId first(FileId one, FileId other) {
        return stripe(one) <= stripe(other) ? one : other;
    }
}
