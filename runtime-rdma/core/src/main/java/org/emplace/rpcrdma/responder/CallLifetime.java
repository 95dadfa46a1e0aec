// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import org.jspecify.annotations.Nullable;

/**
 * How long an incoming call's memory may be used: until it is answered. The answer waits until no fetch is in progress, since the
 * requester takes its memory back when it has the reply. Safe for use by several threads.
 */
final class CallLifetime {
    private int fetches;
    private boolean answered;
    private @Nullable Runnable whenQuiet;

    /** @throws IllegalStateException if the call has been answered */
    synchronized void requireUnanswered() {
        if (answered) {
            throw new IllegalStateException("the call has been answered; what came with it is gone");
        }
    }

    /** A fetch begins. @throws IllegalStateException if the call has been answered */
    synchronized void fetchBegins() {
        requireUnanswered();
        fetches++;
    }

    /** A fetch has ended, well or not. */
    void fetchEnded() {
        Runnable next;
        synchronized (this) {
            fetches--;
            next = fetches == 0 ? whenQuiet : null;
        }
        if (next != null) {
            next.run();
        }
    }

    /**
     * The call is answered: nothing of it can be used from here on.
     *
     * @param whenQuiet run once no fetch is in progress
     * @throws IllegalStateException if it was answered before
     */
    void answer(Runnable whenQuiet) {
        synchronized (this) {
            requireUnanswered();
            answered = true;
            if (fetches > 0) {
                this.whenQuiet = whenQuiet;
                return;
            }
        }
        whenQuiet.run();
    }
}
