// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The payload of a Terminate message (RFC 5040 section 4.8): a control field, followed by the headers of the segment at fault. */
public final class TerminateMessage {
    /** The longest payload in bytes: control field, DDP length and untagged header, Read Request. */
    public static final int LIMIT = 4 + Segment.UNTAGGED_HEAD + ReadRequest.LENGTH;

    private static final int LENGTH_AND_DDP_HEADER = 0xc000;
    private static final int RDMAP_HEADER = 0x2000;

    private TerminateMessage() {}

    /**
     * Encodes the payload.
     *
     * @param head the length field and header of the segment at fault; empty if there is none
     * @param refused the Read Request at fault; null if there is none
     */
    public static ByteBuffer of(TerminateCode code, byte[] head, @Nullable ReadRequest refused) {
        ByteBuffer payload = ByteBuffer.allocate(LIMIT);
        boolean withHead = code.concernsSegment() && head.length > 0;
        payload.putShort((short) code.wireValue());
        payload.putShort(
                (short) ((withHead ? LENGTH_AND_DDP_HEADER : 0) | (withHead && refused != null ? RDMAP_HEADER : 0)));
        if (withHead) {
            payload.put(head);
            if (refused != null) {
                payload.put(refused.toBytes());
            }
        }
        return payload.flip();
    }
}
