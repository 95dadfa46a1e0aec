// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.function.IntUnaryOperator;

/**
 * How many calls a peer may have in flight, and how many it has (RFC 5666bis section 4.3). A grant grows when the peer has used all of
 * it, by as many as further Receives are posted for; it never falls, for a peer that is silent hears of no lower one. Safe for use by
 * several threads.
 */
public final class CallCredits {
    private final int limit;
    private final IntUnaryOperator receives;
    private int granted;
    private long asked = 1;
    private int unanswered;
    private boolean allUsed;

    /**
     * Credits of a connection.
     *
     * @param granted what the peer may count on now: as many Receives are posted for it
     * @param limit the most to grant
     * @param receives posts up to so many further Receives for this peer; how many it has
     */
    CallCredits(int granted, int limit, IntUnaryOperator receives) {
        this.granted = granted;
        this.limit = limit;
        this.receives = receives;
    }

    /**
     * A call has come.
     *
     * @param requested the credits that it asks for
     * @return false if it is one too many. A requester that has given calls up, as Linux does when a process is killed, may send others in
     *     their place while the first are still worked on; so it is twice the grant that nobody may exceed
     */
    public synchronized boolean take(long requested) {
        asked = requested;
        unanswered++;
        allUsed |= unanswered >= granted;
        return unanswered <= 2 * granted;
    }

    /** An answer leaves, or there is none: called before the peer can know. */
    public synchronized void giveBack() {
        unanswered--;
    }

    /** The grant to send with an answer. */
    public synchronized int grant() {
        int wanted = (int) Math.min(Math.min(2L * granted, asked), limit) - granted;
        if (allUsed && wanted > 0) {
            granted += receives.applyAsInt(wanted);
            allUsed = false;
        }
        return granted;
    }
}
