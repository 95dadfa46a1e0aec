// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.nio.ByteBuffer;

/**
 * The four fields at the beginning of every header, whatever its version (RFC 8166 section 4.2). They are checked
 * before the rest is decoded, so that a peer with another version gets ERR_VERS.
 *
 * @param xid the xid of the RPC message
 * @param version the version of RPC-over-RDMA, unsigned
 * @param credits the credits that a call requests or a reply grants, unsigned
 * @param type the type of the message, unsigned; its meaning depends on the version
 */
public record FixedFields(int xid, int version, int credits, int type) {

    /** The length of the fixed fields in bytes. */
    public static final int SIZE = 16;

    /** Reads the fields of a message of at least {@link #SIZE} bytes. */
    public static FixedFields of(ByteBuffer received) {
        return new FixedFields(received.getInt(0), received.getInt(4), received.getInt(8), received.getInt(12));
    }

    /** Whether the type is RDMA_ERROR, which is the same in all versions. */
    public boolean isError() {
        return type == HeaderType.ERROR;
    }
}
