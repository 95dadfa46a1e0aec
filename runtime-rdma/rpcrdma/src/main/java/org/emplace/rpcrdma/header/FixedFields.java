// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.nio.ByteBuffer;

/**
 * The four fields that stand before every header, whatever its version (RFC 8166 section 4.2). They are checked before the rest is decoded, so that a
 * peer of another version gets an error that says so.
 *
 * @param xid of the RPC message
 * @param version of RPC-over-RDMA, unsigned
 * @param credits requested by a call, granted by a reply; unsigned
 * @param type what follows, unsigned; its meaning depends on the version
 */
public record FixedFields(int xid, int version, int credits, int type) {

    /** Bytes of the fixed fields. */
    public static final int SIZE = 16;

    /** The fields of a message of at least {@link #SIZE} bytes. */
    public static FixedFields of(ByteBuffer received) {
        return new FixedFields(received.getInt(0), received.getInt(4), received.getInt(8), received.getInt(12));
    }

    /** Whether the type is RDMA_ERROR, which is the same in all versions. */
    public boolean isError() {
        return type == HeaderType.ERROR;
    }
}
