// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The payload of a Terminate message (RFC 5040 section 4.8): a control field, then the headers of the segment at fault. */
public final class TerminateMessage {
    /** Longest payload: control, DDP length and untagged header, Read Request. */
    public static final int LIMIT = 4 + Segment.UNTAGGED_HEAD + ReadRequest.LENGTH;

    private static final int LENGTH_AND_DDP_HEADER = 0xc000;
    private static final int RDMAP_HEADER = 0x2000;

    private TerminateMessage() {}

    /**
     * The payload that reports a fault.
     *
     * @param head length field and header of the segment at fault; empty if none was
     * @param refused the Read Request at fault; null if none was
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
