// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/** Who makes a call (RFC 5531 section 8.2). */
public sealed interface Credential {

    /** The AUTH_NONE credential. */
    Credential NONE = new None();

    /** AUTH_NONE: nobody in particular. */
    record None() implements Credential {}

    /**
     * AUTH_SYS (RFC 5531 appendix A): what the caller says of itself, unchecked.
     *
     * @param stamp arbitrary, unsigned 32 bits
     * @param machineName at most 255 bytes
     * @param uid effective user, unsigned 32 bits
     * @param gid effective group, unsigned 32 bits
     * @param gids further groups, at most 16
     */
    record Sys(long stamp, XdrString machineName, long uid, long gid, XdrUnsignedInts gids) implements Credential {
        /** Checks the limits. */
        public Sys {
            if (machineName.length() > 255 || gids.size() > 16) {
                throw new IllegalArgumentException("AUTH_SYS allows 255 bytes of machine name and 16 groups");
            }
        }
    }

    /** A flavour that this runtime does not know, as a server received it: its service {@linkplain RpcService#acceptingFlavors accepts} it. */
    record Other(int flavor, XdrOpaque body) implements Credential {}
}
