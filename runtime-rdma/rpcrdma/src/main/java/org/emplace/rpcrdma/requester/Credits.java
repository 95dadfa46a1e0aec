// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

/**
 * A requester's flow control (RFC 8166 section 3.3): one call until the first reply, then as many as the responder
 * grants, but never more than requested. If a grant is less than the calls in flight, it takes effect as these end. Not
 * safe for use by several threads.
 */
final class Credits {
    private final int requested;
    private int limit = 1;
    private int inFlight;

    /** @param requested the credits to request in every call: the most calls in flight */
    Credits(int requested) {
        this.requested = requested;
    }

    int requested() {
        return requested;
    }

    boolean isLeft() {
        return inFlight < limit;
    }

    /** Takes a credit if there is one. */
    boolean take() {
        if (!isLeft()) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** Gives back the credit of a call that has been replied to, or was not sent. */
    void giveBack() {
        inFlight--;
    }

    /** Sets the responder's latest grant. A grant of zero, which would be a deadlock, counts as one. */
    void granted(long credits) {
        limit = (int) Math.max(1, Math.min(credits, requested));
    }
}
