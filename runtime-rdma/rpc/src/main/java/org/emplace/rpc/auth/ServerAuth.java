// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;

/**
 * An authentication flavor at the server, with the data that it needs, such as a key. Pass it to {@link
 * org.emplace.rpc.RpcService#withFlavors}. Implementations must be safe for use by several threads.
 */
public interface ServerAuth {

    /** The flavor's number. */
    int flavor();

    /**
     * Checks the credential and verifier of a call with this flavor, before the arguments are decoded. Called on the
     * thread that receives calls; must not block.
     *
     * @param header returns the bytes of the message from its xid to the end of the credential
     * @throws AuthException with the auth_stat of the reply, if the call is rejected
     */
    Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header) throws AuthException;

    /** The authentication of an accepted call and its reply. */
    @FunctionalInterface
    interface Exchange {

        /**
         * The caller. Its name identifies it: a duplicate call gets the earlier reply only if the caller's name is the
         * same.
         */
        Principal caller();

        /** The reply's verifier. Called once, before the handler runs. */
        default OpaqueAuth replyVerifier() {
            return OpaqueAuth.NONE;
        }
    }
}
