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
    public ClientAuth.Exchange begin() {
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
}
