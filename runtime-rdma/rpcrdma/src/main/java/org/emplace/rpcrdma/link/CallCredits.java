// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.function.IntUnaryOperator;
import org.emplace.rpc.transport.IdleTime;

/**
 * How many calls a peer may have in flight, and how many it has (RFC 8166 section 3.3). A grant grows when the peer has used all of it, by as many as
 * further Receives are posted for; calls whose replies have not been sent count as well, because a call that is answered at once never overlaps with
 * the next. A grant never falls, because a silent peer cannot be told of a lower one. Safe for use by several threads.
 */
public final class CallCredits {
    /**
     * Replies that may be in flight beyond the grant: a peer can receive one, and make its next call, before this side notices the completion of the
     * reply's Send. Providers report that with the call, or a batch of completions later.
     */
    private static final int ANSWERS_ON_THEIR_WAY = 64;

    private final int limit;
    private final IntUnaryOperator receives;
    private final IdleTime idle = new IdleTime(System::nanoTime);
    private int granted;
    private int unanswered;
    private int held;
    private boolean allUsed;
    private boolean growing;

    /**
     * Credits of a connection.
     *
     * @param granted the first grant; as many Receives are posted for it
     * @param limit the most to grant
     * @param receives posts up to so many further Receives for this peer; returns how many
     */
    CallCredits(int granted, int limit, IntUnaryOperator receives) {
        this.granted = granted;
        this.limit = limit;
        this.receives = receives;
    }

    /**
     * A call has come.
     *
     * @return false if it is one too many. A requester that has given calls up, as Linux does when a process is killed, may send others in
     *     their place while the first are still worked on; so it is twice the grant that nobody may exceed. Nor may a peer go on with
     *     calls while it takes no answers, which would hold the memory of both
     */
    public synchronized boolean take() {
        unanswered++;
        held++;
        idle.begin();
        allUsed |= held >= granted;
        return unanswered <= 2 * granted && held <= 2 * granted + ANSWERS_ON_THEIR_WAY;
    }

    /** An answer leaves, or there is none: called before the peer can know. */
    public synchronized void giveBack() {
        unanswered--;
    }

    /** An answer has left, or there is none: the call holds no memory any more. */
    public synchronized void left() {
        held--;
        idle.end();
    }

    /** Nanoseconds since the last answer has left; 0 while there is a call whose answer has not. */
    public long idleNanos() {
        return idle.nanos();
    }

    /**
     * The grant to send with a reply.
     *
     * @param asked the credits that the answered call requests: the grant does not grow beyond them
     */
    public int grant(long asked) {
        int wanted;
        synchronized (this) {
            wanted = (int) Math.min(Math.min(2L * granted, asked), limit) - granted;
            if (!allUsed || growing || wanted <= 0) {
                return granted;
            }
            growing = true;
        }
        // Without the lock, because it may take as long as to register memory.
        int more = receives.applyAsInt(wanted);
        synchronized (this) {
            granted += more;
            allUsed = false;
            growing = false;
            return granted;
        }
    }
}
