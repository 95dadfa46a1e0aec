// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The READs or WRITEs of a file that are in progress. Tells a call whether bytes missing before it are about to arrive. Safe for use by several
 * threads.
 */
final class CallRanges {

    /** The range of a call in progress. Compared by identity, because two calls may have the same range. */
    static final class Range {
        private final long from;
        private final long to;

        private Range(long from, long to) {
            this.from = from;
            this.to = to;
        }
    }

    private final Set<Range> all = ConcurrentHashMap.newKeySet();

    /** Records that a call for a range of bytes has begun. */
    Range begin(long offset, long length) {
        Range begun = new Range(offset, offset + length);
        all.add(begun);
        return begun;
    }

    void end(Range begun) {
        all.remove(begun);
    }

    /** The end of the bytes in progress that follow an offset without a gap. */
    long reach(long offset) {
        long reached = offset;
        for (boolean further = true; further; ) {
            further = false;
            for (Range each : all) {
                if (each.from <= reached && each.to > reached) {
                    reached = each.to;
                    further = true;
                }
            }
        }
        return reached;
    }

    /** Whether the bytes right before an offset are in progress. */
    boolean isInProgressUpTo(long offset) {
        return all.stream().anyMatch(each -> each.from < offset && each.to == offset);
    }
}
