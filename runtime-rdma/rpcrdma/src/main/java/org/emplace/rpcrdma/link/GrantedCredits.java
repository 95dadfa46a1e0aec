// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.util.function.IntUnaryOperator;
import org.emplace.rpc.limits.ConnectionLimit.IdleTime;

/**
 * The credits granted to a peer, and the calls that it has in flight (RFC 8166 section 3.3). When the peer has used the
 * whole grant, the grant grows by the number of further Receives that can be posted. Calls whose replies have not been
 * sent count as used, because a call that is answered at once never overlaps with the next. A grant is never reduced,
 * because a peer that makes no calls cannot learn it. Safe for use by several threads.
 */
public final class GrantedCredits {
    /**
     * The replies that may be in flight beyond the grant. A peer can receive a reply and make its next call before this
     * side gets the completion of the reply's Send, which a provider reports with that call or in a later batch of
     * completions.
     */
    private static final int ANSWERS_ON_THEIR_WAY = 64;

    /** The places of answers on their way, which connections share: a peer that accepts no replies has as many calls as it may. */
    interface LateAnswers {
        /** As many as each connection may have. */
        LateAnswers UNSHARED = new LateAnswers() {
            @Override
            public boolean enter() {
                return true;
            }

            @Override
            public void leave() {}
        };

        /** Takes a place. Returns whether there is one for this peer. */
        boolean enter();

        /** Returns a place. */
        void leave();
    }

    /** The messages that are neither calls nor replies to calls and that a peer may send in a row. Versions of the protocol before RFC 8166 had one for each reply. */
    private static final int STRAYS = 64;

    private final int limit;
    private final IntUnaryOperator receives;
    private final LateAnswers lateAnswers;
    private final IdleTime idle = new IdleTime(System::nanoTime);
    private int granted;
    private int unanswered;
    private int held;
    /** How many places of late answers the connection has: those that {@link #held} needs beyond twice the grant. */
    private int late;

    private int strays;
    private boolean allUsed;
    private boolean growing;
    private boolean over;

    /**
     * Creates the credits of a connection.
     *
     * @param granted the first grant, for which Receives have been posted
     * @param limit the most credits to grant
     * @param receives posts up to the given number of further Receives for this peer; returns the number posted
     * @param lateAnswers the places of calls beyond twice the grant whose answers are on their way
     */
    GrantedCredits(int granted, int limit, IntUnaryOperator receives, LateAnswers lateAnswers) {
        this.lateAnswers = lateAnswers;
        this.granted = granted;
        this.limit = limit;
        this.receives = receives;
    }

    /**
     * Counts a call that has arrived.
     *
     * @return false if the peer has exceeded its credits. The limit is twice the grant: a requester that has given up
     *     calls, as Linux does when a process is killed, may send others while the responder still handles the first
     *     ones. A peer also exceeds its credits if it makes calls but does not receive the replies, which hold memory.
     *     Then the call is not counted
     */
    public synchronized boolean consume() {
        strays = 0;
        allUsed |= held + 1 >= granted;
        if (unanswered >= 2 * granted || (held >= 2 * granted + late && !enterLate())) {
            return false;
        }
        unanswered++;
        held++;
        idle.started();
        return true;
    }

    private boolean enterLate() {
        boolean entered = !over && late < ANSWERS_ON_THEIR_WAY && lateAnswers.enter();
        late += entered ? 1 : 0;
        return entered;
    }

    /**
     * Counts a message that is neither a call nor the reply to one.
     *
     * @return false if the peer has sent too many of them since its last call
     */
    public synchronized boolean stray() {
        strays++;
        return strays <= STRAYS + 2 * granted;
    }

    /** Called when a call is about to be answered or is dropped, before the peer can know. */
    public synchronized void answered() {
        unanswered--;
    }

    /** Called when a reply has been sent or the call has been dropped: the call no longer holds memory. */
    public synchronized void replySent() {
        held--;
        idle.completed();
        if (late > 0 && held < 2 * granted + late) {
            late--;
            lateAnswers.leave();
        }
    }

    /** Called when the connection is over: returns the places of its late answers. */
    synchronized void disconnected() {
        for (; late > 0; late--) {
            lateAnswers.leave();
        }
        over = true;
    }

    /** The time since the last reply was sent, in nanoseconds; 0 while a call is in progress. */
    public long idleNanos() {
        return idle.nanos();
    }

    /**
     * Returns the grant to send with a reply.
     *
     * @param asked the credits that the call requests: the grant does not grow beyond them
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
        // Without the lock, because it may register memory, which takes time.
        int more = receives.applyAsInt(wanted);
        synchronized (this) {
            granted += more;
            allUsed = false;
            growing = false;
            return granted;
        }
    }
}
