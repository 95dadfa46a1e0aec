// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.util.Arrays;

/** The STags that were taken back last. Takes as much memory as there were STags, up to a limit. */
final class RetiredStags {
    /** Exceeds the calls on one connection whose late reply can still invalidate an STag. */
    private static final int LIMIT = 1024;

    private int[] stags = {};
    private int count;
    private int next;

    /** Adds one; forgets the oldest if there are too many. */
    void add(int stag) {
        if (count == stags.length && count < LIMIT) {
            stags = Arrays.copyOf(stags, Math.max(4, 2 * count));
            next = count;
        }
        stags[next] = stag;
        next = (next + 1) % stags.length;
        count = Math.min(count + 1, stags.length);
    }

    /** Whether an STag is one of them. Takes a search; it is asked for where a revocation crosses an invalidation by the peer. */
    boolean contains(int stag) {
        for (int i = 0; i < count; i++) {
            if (stags[i] == stag) {
                return true;
            }
        }
        return false;
    }
}
