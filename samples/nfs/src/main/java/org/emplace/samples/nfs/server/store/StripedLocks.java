// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.stream.IntStream;

/** Monitors of files. The same file always has the same monitor; different files usually have different ones. Safe for use by several threads. */
public final class StripedLocks {
    private static final int STRIPES = 1024;

    private final Object[] monitors =
            IntStream.range(0, STRIPES).mapToObj(i -> new Object()).toArray();

    private static int stripe(Object file) {
        int hash = file.hashCode();
        return (hash ^ (hash >>> 16)) & (STRIPES - 1);
    }

    /**
     * The monitor of a file.
     *
     * @param file an object that identifies it; equal for the same file
     */
    public Object of(Object file) {
        return monitors[stripe(file)];
    }

    /** The file whose monitor must be entered first, so that two threads do not deadlock. */
    public <K> K first(K one, K other) {
        return stripe(one) <= stripe(other) ? one : other;
    }
}
