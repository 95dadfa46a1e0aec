// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A message on its way out: what is left of its payload, cut into segments as the {@link FpduWriter} asks for them. The list and the
 * buffers of the payload are the message's own from its creation on.
 */
public final class OutboundMessage {
    private final Opcode opcode;
    private final int stag;
    private final int sequence;
    private final Runnable written;
    private final List<ByteBuffer> pieces;
    private int piecesTaken;
    private long offset;
    private long left;

    private OutboundMessage(
            Opcode opcode, int stag, int sequence, long offset, List<ByteBuffer> payload, Runnable written) {
        this.opcode = opcode;
        this.stag = stag;
        this.sequence = sequence;
        this.offset = offset;
        this.written = written;
        this.pieces = payload;
        for (ByteBuffer piece : payload) {
            left += piece.remaining();
        }
    }

    /** A message for memory of the peer. */
    public static OutboundMessage tagged(
            Opcode opcode, int stag, long offset, List<ByteBuffer> payload, Runnable written) {
        return new OutboundMessage(opcode, stag, 0, offset, payload, written);
    }

    /** A message for a queue of the peer. */
    public static OutboundMessage untagged(
            Opcode opcode, int invalidate, int sequence, List<ByteBuffer> payload, Runnable written) {
        return new OutboundMessage(opcode, invalidate, sequence, 0, payload, written);
    }

    /** Takes the next at most {@code limit} bytes off; buffers with exactly these are added to {@code payload}. */
    Segment next(int limit, List<ByteBuffer> payload) {
        int length = (int) Math.min(left, limit);
        for (int missing = length; missing > 0; ) {
            ByteBuffer piece = pieces.get(piecesTaken);
            int taken = Math.min(missing, piece.remaining());
            if (taken == piece.remaining()) {
                payload.add(piece);
                piecesTaken++;
            } else {
                payload.add(piece.slice(piece.position(), taken));
                piece.position(piece.position() + taken);
            }
            missing -= taken;
        }
        left -= length;
        Segment segment = opcode.isTagged()
                ? new Segment.Tagged(opcode, left == 0, length, stag, offset)
                : new Segment.Untagged(opcode, left == 0, length, stag, sequence, (int) offset);
        offset += length;
        return segment;
    }

    /** All of its bytes are with TCP. */
    void written() {
        written.run();
    }
}
