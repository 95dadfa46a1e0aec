// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;

/** A flavour of authentication at the end that is called, with all that it takes to use it. Safe for use by several threads. */
public interface ServerAuth {

    /** The number of the credentials that it takes. */
    int flavor();

    /**
     * Checks a call of this flavour. Nothing has been done for the call by then but to read its header. Called on the thread that receives calls: must not
     * block.
     *
     * @param header gives the message from its xid to the end of the credential
     * @throws AuthException if the call is to be refused, with the auth_stat to say so
     */
    Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header) throws AuthException;

    /** One call that was accepted, and its reply. */
    @FunctionalInterface
    interface Exchange {

        /** Who calls. Its name tells it from other callers: a call that comes again by the same name is answered with the reply that there was. */
        Principal caller();

        /** The reply's verifier; asked for once, before the call is run. */
        default OpaqueAuth replyVerifier() {
            return OpaqueAuth.NONE;
        }
    }
}
