// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * A credential or a verifier as it is encoded (RFC 5531 section 8.2).
 *
 * @param flavor the flavor's number, which defines the format of the body
 * @param body at most {@link #MAX_BODY} bytes
 */
public record OpaqueAuth(int flavor, XdrOpaque body) {
    /** The longest body in bytes. */
    public static final int MAX_BODY = 400;

    /** AUTH_NONE without a body. */
    public static final OpaqueAuth NONE = new OpaqueAuth(AuthNone.FLAVOR, XdrOpaque.EMPTY);

    /** @throws IllegalArgumentException if the body is too long */
    public OpaqueAuth {
        if (body.length() > MAX_BODY) {
            throw new IllegalArgumentException("a credential or verifier of flavor " + flavor + " has " + body.length()
                    + " bytes, but at most " + MAX_BODY + " are allowed");
        }
    }

    /** Appends the flavor and the body to a message. */
    public void encode(XdrEncoder out) {
        out.writeInt(flavor);
        out.writeOpaque(body);
    }

    /** Reads a credential or verifier of any flavor. Allocates nothing for {@link #NONE}. */
    public static OpaqueAuth decode(XdrDecoder in) throws XdrException {
        int flavor = in.readInt();
        XdrOpaque body = in.readOpaque(MAX_BODY);
        return flavor == NONE.flavor && body.length() == 0 ? NONE : new OpaqueAuth(flavor, body);
    }
}
