// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.rpc.Credential;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/** Credentials and verifiers as {@code opaque_auth} (RFC 5531 section 8.2). */
final class Authentication {
    private static final int AUTH_NONE = 0;
    private static final int AUTH_SYS = 1;
    private static final int MAX_BODY = 400;
    private static final int MAX_MACHINE_NAME = 255;
    private static final int MAX_GIDS = 16;

    private Authentication() {}

    static void encode(XdrEncoder out, Credential credential) {
        if (credential instanceof Credential.Sys sys) {
            XdrEncoder body = XdrEncoder.onHeap();
            body.writeUnsignedInt(sys.stamp());
            body.writeString(sys.machineName());
            body.writeUnsignedInt(sys.uid());
            body.writeUnsignedInt(sys.gid());
            body.writeArray(sys.gids(), XdrEncoder::writeUnsignedInt);
            out.writeInt(AUTH_SYS);
            out.writeOpaque(XdrOpaque.copyOf(body.finish().stream()));
        } else if (credential instanceof Credential.Other other) {
            out.writeInt(other.flavor());
            out.writeOpaque(other.body());
        } else {
            encodeNone(out);
        }
    }

    static void encodeNone(XdrEncoder out) {
        out.writeInt(AUTH_NONE);
        out.writeOpaque(XdrOpaque.EMPTY);
    }

    /** Reads a verifier; only RPCSEC_GSS would give it a meaning. */
    static void skipVerifier(XdrDecoder in) throws XdrException {
        in.readInt();
        in.readOpaque(MAX_BODY);
    }

    /** Reads a credential as it stands; its body is looked into by {@link #interpret}. */
    static Credential.Other decode(XdrDecoder in) throws XdrException {
        return new Credential.Other(in.readInt(), in.readOpaque(MAX_BODY));
    }

    /**
     * Reads what a credential of a known flavour says.
     *
     * @throws XdrException if its body is malformed
     */
    static Credential interpret(Credential.Other raw) throws XdrException {
        return switch (raw.flavor()) {
            case AUTH_NONE -> Credential.NONE;
            case AUTH_SYS -> decodeSys(new XdrDecoder(raw.body().asReadOnlyBuffer()));
            default -> raw;
        };
    }

    private static Credential.Sys decodeSys(XdrDecoder body) throws XdrException {
        Credential.Sys sys = new Credential.Sys(
                body.readUnsignedInt(),
                body.readString(MAX_MACHINE_NAME),
                body.readUnsignedInt(),
                body.readUnsignedInt(),
                body.readArray(MAX_GIDS, Integer.BYTES, XdrDecoder::readUnsignedInt));
        body.requireEnd();
        return sys;
    }
}
