// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * A credential or a verifier, as it is sent (RFC 5531 section 8.2).
 *
 * @param flavor the format of the body, by IANA's number
 * @param body at most {@link #LONGEST_BODY} bytes
 */
public record OpaqueAuth(int flavor, XdrOpaque body) {
    /** The most bytes of a body. */
    public static final int LONGEST_BODY = 400;

    /** AUTH_NONE without a body. */
    public static final OpaqueAuth NONE = new OpaqueAuth(AuthNone.FLAVOR, XdrOpaque.EMPTY);

    /** Checks the length. */
    public OpaqueAuth {
        if (body.length() > LONGEST_BODY) {
            throw new IllegalArgumentException("a credential or verifier of flavor " + flavor + " has " + body.length()
                    + " bytes, more than " + LONGEST_BODY);
        }
    }

    /** Appends it to a message. */
    public void encode(XdrEncoder out) {
        out.writeInt(flavor);
        out.writeOpaque(body);
    }

    /** Reads one of any flavor. For {@link #NONE} it allocates nothing. */
    public static OpaqueAuth decode(XdrDecoder in) throws XdrException {
        int flavor = in.readInt();
        XdrOpaque body = in.readOpaque(LONGEST_BODY);
        return flavor == NONE.flavor && body.length() == 0 ? NONE : new OpaqueAuth(flavor, body);
    }
}
