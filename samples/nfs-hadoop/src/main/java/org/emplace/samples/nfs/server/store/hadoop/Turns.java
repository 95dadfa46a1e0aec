// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The READs of one file, or the WRITEs to it, that are in progress: whether what is missing before one of them is coming. Safe for use by several threads. */
final class Turns {

    /** Where a call in progress begins and ends. Compared by identity, as two may be of the same bytes. */
    static final class Coming {
        private final long from;
        private final long to;

        private Coming(long from, long to) {
            this.from = from;
            this.to = to;
        }
    }

    private final Set<Coming> all = ConcurrentHashMap.newKeySet();

    /** A call for so many bytes has begun. */
    Coming begin(long offset, long length) {
        Coming begun = new Coming(offset, offset + length);
        all.add(begun);
        return begun;
    }

    void end(Coming begun) {
        all.remove(begun);
    }

    /** Up to where bytes are coming without a gap from an offset on. */
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

    /** Whether the bytes right before an offset are coming. */
    boolean isComingUpTo(long offset) {
        return all.stream().anyMatch(each -> each.from < offset && each.to == offset);
    }
}
