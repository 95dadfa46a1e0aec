// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/**
 * The four fields that stand before every header, whatever its version (RFC 5666bis section 5.1). They are looked at before the rest
 * is decoded, or a peer of another version would never learn that it is one.
 *
 * @param xid of the RPC message
 * @param version of RPC-over-RDMA, unsigned
 * @param credits requested by a call, granted by a reply; unsigned
 * @param type what follows, unsigned; its meaning depends on the version
 */
public record FixedFields(int xid, int version, int credits, int type) {

    /** Bytes of the fixed fields. */
    public static final int SIZE = 16;

    /** The type RDMA_ERROR, the same in all versions. */
    public static final int ERROR = HeaderType.ERROR;

    /**
     * The fields ahead of a decoder, which stays where it is.
     *
     * @throws XdrException if the message is a runt
     */
    public static FixedFields ahead(XdrDecoder in) throws XdrException {
        return new FixedFields(in.peekInt(0), in.peekInt(4), in.peekInt(8), in.peekInt(12));
    }
}
