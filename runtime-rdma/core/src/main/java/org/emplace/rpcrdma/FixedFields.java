// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The four fields that stand before every header, whatever its version (RFC 5666bis section 5.1). They are looked at before the rest
 * is decoded, or a peer of another version would never learn that it is one.
 */
record FixedFields(int xid, int version, int credits, int type) {

    /** Bytes of the fixed fields. */
    static final int SIZE = 16;

    /** RDMA_ERROR. */
    static final int ERROR = 4;

    /** The fields at the buffer's position, which stays; empty for a runt. */
    static Optional<FixedFields> of(ByteBuffer received) {
        if (received.remaining() < SIZE) {
            return Optional.empty();
        }
        int at = received.position();
        return Optional.of(new FixedFields(
                received.getInt(at), received.getInt(at + 4), received.getInt(at + 8), received.getInt(at + 12)));
    }
}
