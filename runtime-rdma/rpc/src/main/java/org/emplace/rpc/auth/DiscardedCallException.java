// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

/**
 * A flavor wants no answer to a call, which may be a replay. The server closes the call's connection, so that no credit of it is lost; a client that
 * has sent the call in good faith sends it again. It has no stack trace, because any peer can cause it.
 */
public final class DiscardedCallException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param why the reason in one line; not sent to the peer */
    public DiscardedCallException(String why) {
        super(why, null, false, false);
    }
}
