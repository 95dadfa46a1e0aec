// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.xdr.XdrOpaque;

/** Sends the credential and verifier of a test, and accepts every reply. */
record RawAuth(OpaqueAuth credential, OpaqueAuth sentVerifier, int replyVerifierBound)
        implements ClientAuth, ClientAuth.Exchange {

    /** A credential of zeros. */
    RawAuth(int flavor, int length) {
        this(new OpaqueAuth(flavor, XdrOpaque.of(new byte[length])), OpaqueAuth.NONE, 0);
    }

    RawAuth withVerifier(int flavor, int length) {
        return new RawAuth(credential, new OpaqueAuth(flavor, XdrOpaque.of(new byte[length])), replyVerifierBound);
    }

    RawAuth withReplyVerifierBound(int bytes) {
        return new RawAuth(credential, sentVerifier, bytes);
    }

    @Override
    public Exchange newExchange() {
        return this;
    }

    @Override
    public OpaqueAuth verifier(Supplier<ByteBuffer> header) {
        return sentVerifier;
    }

    @Override
    public void check(OpaqueAuth verifier) {}
}
