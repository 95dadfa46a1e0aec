// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * A flavour of authentication at the end that calls, with all that it takes to use it: who calls, a key. Safe for use by several threads; never blocks.
 */
public interface ClientAuth {

    /**
     * Begins to authenticate one message. A call that is made again over another connection begins anew.
     *
     * @throws AuthException if it cannot: the call fails as {@link org.emplace.rpc.RpcException.Kind#AUTHENTICATION} and is not sent
     */
    Exchange begin() throws AuthException;

    /** One call message and its reply. Its methods are called in their order, by one thread at a time. */
    interface Exchange {

        /** The call's credential. */
        OpaqueAuth credential();

        /**
         * The call's verifier.
         *
         * @param header gives the message from its xid to the end of the credential, as it is sent
         * @throws AuthException as {@link ClientAuth#begin}
         */
        OpaqueAuth verifier(Supplier<ByteBuffer> header) throws AuthException;

        /** How many bytes the body of the reply's verifier has at most: memory for the reply is provided accordingly. */
        int replyVerifierBound();

        /**
         * Checks the verifier of the reply, before anything else of it is looked at. A denial has none.
         *
         * @throws AuthException if it is not genuine: the call fails as {@link org.emplace.rpc.RpcException.Kind#BAD_VERIFIER}
         */
        void check(OpaqueAuth verifier) throws AuthException;
    }
}
