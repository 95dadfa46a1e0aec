// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * An authentication flavor at the client, with the data that it needs, such as a name and a key. Pass it to {@link
 * org.emplace.rpc.CallOptions#withAuth}. Implementations must be safe for use by several threads and must not block.
 */
public interface ClientAuth {

    /**
     * Starts the authentication of one call message. Called again if the call is resent over another connection.
     *
     * @throws AuthException if the message cannot be authenticated: the call fails with {@link
     *     org.emplace.rpc.RpcException.Kind#AUTHENTICATION} and is not sent
     */
    Exchange newExchange() throws AuthException;

    /**
     * The authentication of one call message and its reply. The methods are called in the order in which they are
     * declared, by one thread at a time.
     */
    interface Exchange {

        /** The call's credential. */
        OpaqueAuth credential();

        /**
         * The call's verifier.
         *
         * @param header returns the bytes of the message from its xid to the end of the credential
         * @throws AuthException as for {@link ClientAuth#newExchange}
         */
        OpaqueAuth verifier(Supplier<ByteBuffer> header) throws AuthException;

        /**
         * The longest body that the reply's verifier can have, in bytes. The client provides memory for the reply
         * accordingly.
         */
        int replyVerifierBound();

        /**
         * Checks the reply's verifier, before the rest of the reply is decoded. Not called for MSG_DENIED, which has no
         * verifier.
         *
         * @throws AuthException if the verifier is not valid: the call fails with {@link
         *     org.emplace.rpc.RpcException.Kind#BAD_VERIFIER}
         */
        void check(OpaqueAuth verifier) throws AuthException;
    }
}
