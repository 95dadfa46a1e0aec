// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;

/** An authentication flavor at the serving end, with what it needs, such as a key. Safe for use by several threads. */
public interface ServerAuth {

    /** The number of the flavor that it accepts. */
    int flavor();

    /**
     * Checks a call of this flavor. Only its header has been read so far. Called on the thread that receives calls: must not
     * block.
     *
     * @param header gives the message from its xid to the end of the credential
     * @throws AuthException with the auth_stat if the call is to be refused
     */
    Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header) throws AuthException;

    /** One call that was accepted, and its reply. */
    @FunctionalInterface
    interface Exchange {

        /** The caller, identified by its name: a duplicate call under the same name is answered with the earlier reply. */
        Principal caller();

        /** The reply's verifier; asked for once, before the call is run. */
        default OpaqueAuth replyVerifier() {
            return OpaqueAuth.NONE;
        }
    }
}
