// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.BitSet;

/**
 * The sequence numbers that a server has seen lately of one context (RFC 2203 section 5.3.3.1). A number that is older than all in the window, or was
 * seen before, is not new. Used under a lock.
 */
final class SequenceWindow {
    /** More than the calls that a client may have in flight over the connections that share a context. */
    static final int SIZE = 4096;

    private final BitSet seen = new BitSet(SIZE);
    private long latest = -1;

    /** Whether a number is new; if so, it has been seen from now on. */
    boolean isNew(long sequence) {
        if (sequence > latest) {
            if (sequence - latest >= SIZE) {
                seen.clear();
            } else {
                for (long skipped = latest + 1; skipped < sequence; skipped++) {
                    seen.clear(index(skipped));
                }
            }
            latest = sequence;
        } else if (latest - sequence >= SIZE || seen.get(index(sequence))) {
            return false;
        }
        seen.set(index(sequence));
        return true;
    }

    private static int index(long sequence) {
        return (int) (sequence % SIZE);
    }
}
