// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import org.jspecify.annotations.Nullable;

/**
 * How long an incoming call's memory may be used: until it is answered. The answer waits until no use is in progress: the requester takes
 * its memory back when it has the reply, and the call's buffers go back to the pool. Safe for use by several threads.
 */
final class CallLifetime {
    private int uses;
    private boolean answered;
    private @Nullable Runnable whenQuiet;

    /** @throws IllegalStateException if the call has been answered */
    synchronized void requireUnanswered() {
        if (answered) {
            throw new IllegalStateException("the call has been answered; what came with it is gone");
        }
    }

    /** A fetch, or another use of the call's memory, begins. @throws IllegalStateException if the call has been answered */
    synchronized void useBegins() {
        requireUnanswered();
        uses++;
    }

    /** It has ended, well or not. */
    void useEnded() {
        Runnable next;
        synchronized (this) {
            uses--;
            next = uses == 0 ? whenQuiet : null;
        }
        if (next != null) {
            next.run();
        }
    }

    /**
     * The call is answered: nothing of it can be used from here on.
     *
     * @param whenQuiet run once no use is in progress
     * @throws IllegalStateException if it was answered before
     */
    void answer(Runnable whenQuiet) {
        synchronized (this) {
            requireUnanswered();
            answered = true;
            if (uses > 0) {
                this.whenQuiet = whenQuiet;
                return;
            }
        }
        whenQuiet.run();
    }
}
