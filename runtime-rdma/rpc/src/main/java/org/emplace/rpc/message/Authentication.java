// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.rpc.Credential;
import org.emplace.rpc.wire.AuthFlavor;
import org.emplace.rpc.wire.AuthsysParms;
import org.emplace.rpc.wire.Constants;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * Credentials and verifiers as {@code opaque_auth} (RFC 5531 section 8.2). Not by the generated type, which knows the registered flavours only:
 * a server has to take any.
 */
final class Authentication {
    /** AUTH_NONE as most callers send it. */
    static final Credential.Other RAW_NONE = new Credential.Other(AuthFlavor.AUTH_NONE.value(), XdrOpaque.EMPTY);

    private Authentication() {}

    static void encode(XdrEncoder out, Credential credential) {
        if (credential instanceof Credential.Sys sys) {
            XdrEncoder body = XdrEncoder.onHeap();
            new AuthsysParms(sys.stamp(), sys.machineName(), sys.uid(), sys.gid(), sys.gids()).encode(body);
            AuthFlavor.AUTH_SYS.encode(out);
            out.writeOpaque(XdrOpaque.copyOf(body.finish().stream()));
        } else if (credential instanceof Credential.Other other) {
            out.writeInt(other.flavor());
            out.writeOpaque(other.body());
        } else {
            encodeNone(out);
        }
    }

    static void encodeNone(XdrEncoder out) {
        AuthFlavor.AUTH_NONE.encode(out);
        out.writeOpaque(XdrOpaque.EMPTY);
    }

    /** Reads a verifier; only RPCSEC_GSS would give it a meaning. */
    static void skipVerifier(XdrDecoder in) throws XdrException {
        in.readInt();
        in.skipOpaque(Constants.RPC_MAX_AUTH_BYTES);
    }

    /** Reads a credential as it stands; its body is looked into by {@link #interpret}. */
    static Credential.Other decode(XdrDecoder in) throws XdrException {
        int flavor = in.readInt();
        XdrOpaque body = in.readOpaque(Constants.RPC_MAX_AUTH_BYTES);
        return flavor == AuthFlavor.AUTH_NONE.value() && body.length() == 0
                ? RAW_NONE
                : new Credential.Other(flavor, body);
    }

    /**
     * Reads what a credential of a known flavour says.
     *
     * @throws XdrException if its body is malformed
     */
    static Credential interpret(Credential.Other raw) throws XdrException {
        if (raw.flavor() == AuthFlavor.AUTH_NONE.value()) {
            return Credential.NONE;
        } else if (raw.flavor() != AuthFlavor.AUTH_SYS.value()) {
            return raw;
        }
        XdrDecoder body = new XdrDecoder(raw.body().asReadOnlyBuffer());
        AuthsysParms sys = AuthsysParms.decode(body);
        body.requireEnd();
        return new Credential.Sys(sys.stamp(), sys.machinename(), sys.uid(), sys.gid(), sys.gids());
    }
}
