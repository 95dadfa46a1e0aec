// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

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
     * @throws DiscardedCallException if the call is to have no reply
     */
    Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header)
            throws AuthException, DiscardedCallException;

    /** The authentication of an accepted call and its reply. Used by one thread at a time. */
    @FunctionalInterface
    interface Exchange {

        /**
         * The caller. Its class and its name identify it: a duplicate call gets the earlier reply only if both are the
         * same. For AUTH_SYS and RPCSEC_GSS, groups and protection must be the same too.
         */
        Principal caller();

        /** The reply's verifier. Called once, before the handler runs. */
        default OpaqueAuth replyVerifier() {
            return OpaqueAuth.NONE;
        }

        /** The answer of the flavor itself, if the call is not one of the program: it may create a security context. Otherwise null. */
        default @Nullable OwnCall ownCall() {
            return null;
        }

        /**
         * Whether the flavor encloses the bodies of the call and its reply, so that no item in them is eligible (RFC 8166 section 8.2.2).
         */
        default boolean protectsBodies() {
            return false;
        }

        /**
         * Reads a protected body to its end. Called only if the flavor {@linkplain #protectsBodies protects bodies}.
         *
         * @return the arguments
         * @throws XdrException if the body is malformed or not genuine: the call is answered with GARBAGE_ARGS
         */
        default ByteBuffer unprotect(XdrDecoder body) throws XdrException {
            throw new UnsupportedOperationException("the flavor does not protect bodies");
        }

        /** Writes results as a protected body. Called only if the flavor {@linkplain #protectsBodies protects bodies}. */
        default void protect(EncodedMessage results, XdrEncoder out) {
            throw new UnsupportedOperationException("the flavor does not protect bodies");
        }
    }

    /** A call that a flavor answers in place of a handler, for a purpose of its own. */
    interface OwnCall {

        /**
         * Answers the call. Runs on a thread for handlers, and may block.
         *
         * @param arguments a decoder at the arguments
         * @param peer the address of the peer
         * @return the results
         * @throws XdrException if the arguments are malformed: the call is answered with GARBAGE_ARGS
         */
        XdrValue answer(XdrDecoder arguments, InetAddress peer) throws XdrException;

        /** The reply's verifier, which takes the place of {@link Exchange#replyVerifier}. Called after {@link #answer}. */
        OpaqueAuth replyVerifier();
    }
}
