// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

/** The direction of a call (RFC 8167). */
public enum CallDirection {
    /** From the end that connected. */
    FORWARD,
    /** From the end that accepted: inline only. */
    BACKWARD;

    /** The direction of the peer's calls. */
    public CallDirection opposite() {
        return this == FORWARD ? BACKWARD : FORWARD;
    }
}
