// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

/**
 * A requester's flow control (RFC 8166 section 3.3): one call until the first reply, then as many as the responder grants, but never
 * more than were asked for. A grant below the calls in flight takes effect as they end. Not safe for use by several threads.
 */
final class Credits {
    private final int requested;
    private int limit = 1;
    private int inFlight;

    /** @param requested what this side asks for in every call: no more calls than that are ever in flight */
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

    /** A reply came, or the call that held the credit never left. */
    void giveBack() {
        inFlight--;
    }

    /** The responder's latest word. A grant of zero would be a deadlock and counts as one. */
    void granted(long credits) {
        limit = (int) Math.max(1, Math.min(credits, requested));
    }
}
