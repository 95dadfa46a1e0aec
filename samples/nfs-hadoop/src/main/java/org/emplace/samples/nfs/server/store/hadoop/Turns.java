// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The READs or WRITEs of a file that are in progress. Tells a call whether bytes missing before it are about to arrive. Safe for use by several
 * threads.
 */
final class Turns {

    /** The range of a call in progress. Compared by identity, because two calls may have the same range. */
    static final class Coming {
        private final long from;
        private final long to;

        private Coming(long from, long to) {
            this.from = from;
            this.to = to;
        }
    }

    private final Set<Coming> all = ConcurrentHashMap.newKeySet();

    /** Records that a call for a range of bytes has begun. */
    Coming begin(long offset, long length) {
        Coming begun = new Coming(offset, offset + length);
        all.add(begun);
        return begun;
    }

    void end(Coming begun) {
        all.remove(begun);
    }

    /** The end of the bytes in progress that follow an offset without a gap. */
    long reach(long offset) {
        long reached = offset;
        for (boolean further = true; further; ) {
            further = false;
            for (Coming each : all) {
                if (each.from <= reached && each.to > reached) {
                    reached = each.to;
                    further = true;
                }
            }
        }
        return reached;
    }

    /** Whether the bytes right before an offset are in progress. */
    boolean isComingUpTo(long offset) {
        return all.stream().anyMatch(each -> each.from < offset && each.to == offset);
    }
}
