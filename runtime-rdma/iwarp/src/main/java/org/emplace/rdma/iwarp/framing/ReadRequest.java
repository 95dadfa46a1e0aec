// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;

/**
 * The payload of an RDMA Read Request (RFC 5040 section 4.4).
 *
 * @param length an unsigned 32-bit number
 */
public record ReadRequest(int sinkStag, long sinkOffset, long length, int sourceStag, long sourceOffset) {
    /** Length of the payload in bytes. */
    public static final int LENGTH = 28;

    /** Reads a request from the first {@link #LENGTH} bytes. */
    public static ReadRequest parse(ByteBuffer bytes) {
        return new ReadRequest(
                bytes.getInt(0),
                bytes.getLong(4),
                Integer.toUnsignedLong(bytes.getInt(12)),
                bytes.getInt(16),
                bytes.getLong(20));
    }

    /** Writes the payload on the wire at the buffer's position. */
    void putInto(ByteBuffer payload) {
        payload.putInt(sinkStag)
                .putLong(sinkOffset)
                .putInt((int) length)
                .putInt(sourceStag)
                .putLong(sourceOffset);
    }
}
