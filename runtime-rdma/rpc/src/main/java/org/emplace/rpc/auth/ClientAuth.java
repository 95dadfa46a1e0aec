// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * An authentication flavor at the calling end, with what it needs, such as a name and a key. Safe for use by several threads; never blocks.
 */
public interface ClientAuth {

    /**
     * Begins to authenticate one message. A call that is resent over another connection begins anew.
     *
     * @throws AuthException if it cannot: the call fails with {@link org.emplace.rpc.RpcException.Kind#AUTHENTICATION} and is not sent
     */
    Exchange begin() throws AuthException;

    /** One call message and its reply. Its methods are called in order, by one thread at a time. */
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

        /** The most bytes that the body of the reply's verifier can have. The client provides memory for the reply accordingly. */
        int replyVerifierBound();

        /**
         * Checks the reply's verifier before the rest of the reply is read. A denial has none.
         *
         * @throws AuthException if it is not genuine: the call fails with {@link org.emplace.rpc.RpcException.Kind#BAD_VERIFIER}
         */
        void check(OpaqueAuth verifier) throws AuthException;
    }
}
