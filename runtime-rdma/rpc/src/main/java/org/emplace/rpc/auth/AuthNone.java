// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;

/** AUTH_NONE (RFC 5531 section 10.1) for clients and servers: the caller is anonymous. */
public final class AuthNone implements ClientAuth, ServerAuth, Principal {
    /** The flavor's number. */
    public static final int FLAVOR = 0;

    /** The only instance: the flavor for both ends, and the caller that a server gets. */
    public static final AuthNone INSTANCE = new AuthNone();

    private static final ClientAuth.Exchange EXCHANGE = new Unverified(OpaqueAuth.NONE);

    private static final ServerAuth.Exchange ACCEPTED = () -> INSTANCE;

    private AuthNone() {}

    @Override
    public ClientAuth.Exchange newExchange() {
        return EXCHANGE;
    }

    @Override
    public int flavor() {
        return FLAVOR;
    }

    @Override
    public ServerAuth.Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header)
            throws AuthException {
        Unverified.checkCall(verifier);
        return ACCEPTED;
    }

    @Override
    public String getName() {
        return "anybody";
    }

    /** The authentication of a message by AUTH_NONE or AUTH_SYS, whose verifiers prove nothing. */
    record Unverified(OpaqueAuth credential) implements ClientAuth.Exchange {
        private static final int AUTH_SHORT = 2;

        /** Checks that the verifier of a call is AUTH_NONE, as these flavors require. */
        static void checkCall(OpaqueAuth verifier) throws AuthException {
            if (verifier.flavor() != AuthNone.FLAVOR) {
                throw new AuthException(
                        AuthException.BAD_VERIFIER,
                        "the verifier's flavor is " + verifier.flavor() + ", not AUTH_NONE");
            }
        }

        @Override
        public OpaqueAuth verifier(Supplier<ByteBuffer> header) {
            return OpaqueAuth.NONE;
        }

        /** A server may return a shorthand for the credential (AUTH_SHORT) of any length. */
        @Override
        public int replyVerifierBound() {
            return OpaqueAuth.MAX_BODY;
        }

        /** RFC 5531 appendix A allows AUTH_NONE and AUTH_SHORT; Linux accepts AUTH_SYS too. */
        @Override
        public void check(OpaqueAuth verifier) throws AuthException {
            int flavor = verifier.flavor();
            if (flavor != AuthNone.FLAVOR && flavor != AuthSys.FLAVOR && flavor != AUTH_SHORT) {
                throw new AuthException(
                        AuthException.INVALID_REPLY,
                        "the verifier's flavor is " + flavor + ", not AUTH_NONE or AUTH_SHORT");
            }
        }
    }
}
