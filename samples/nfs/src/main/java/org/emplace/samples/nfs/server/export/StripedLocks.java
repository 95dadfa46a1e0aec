// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.stream.IntStream;

/** Monitors for keys: the same key has the same one always, different keys mostly different ones. */
final class StripedLocks<K> {
    private static final int STRIPES = 256;

    private final Object[] monitors =
            IntStream.range(0, STRIPES).mapToObj(i -> new Object()).toArray();

    Object of(K key) {
        int hash = key.hashCode();
        return monitors[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
    }
}
