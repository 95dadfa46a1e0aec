// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The message that is being sent: its header, and the rest of its payload. A connection has one such object, which the source of messages sets up for
 * each message, so that messages leave no garbage.
 */
public final class OutboundMessage {
    private Opcode opcode = Opcode.SEND;
    private int stag;
    private int sequence;
    private long offset;
    /** The payload: registered memory, or on the heap. */
    private List<MemorySegment> pieces = List.of();

    private @Nullable ByteBuffer control;
    private long left;
    /** The current piece of the payload, and how many bytes of it have been sent. */
    private int piece;

    private int taken;

    OutboundMessage() {}

    /** Makes this a message for memory of the peer, whose payload is {@code pieces} in order. */
    public void tagged(Opcode opcode, int stag, long offset, List<MemorySegment> pieces) {
        begin(opcode, stag, 0, offset, pieces, null, MemorySegment.total(pieces));
    }

    /** Makes this a message for a queue of the peer, whose payload is {@code pieces} in order. */
    public void untagged(Opcode opcode, int invalidate, int sequence, List<MemorySegment> pieces) {
        begin(opcode, invalidate, sequence, 0, pieces, null, MemorySegment.total(pieces));
    }

    /** Makes this a message for a queue of the peer, whose payload is on the heap and fits into one FPDU. */
    void control(Opcode opcode, int sequence, ByteBuffer payload) {
        begin(opcode, 0, sequence, 0, List.of(), payload, payload.remaining());
    }

    /** Makes this an RDMA Read Request. */
    public void readRequest(int sequence, ReadRequest request) {
        control(Opcode.READ_REQUEST, sequence, request.toBytes());
    }

    private void begin(
            Opcode opcode,
            int stag,
            int sequence,
            long offset,
            List<MemorySegment> pieces,
            @Nullable ByteBuffer control,
            long length) {
        this.opcode = opcode;
        this.stag = stag;
        this.sequence = sequence;
        this.offset = offset;
        this.pieces = pieces;
        this.control = control;
        left = length;
        piece = 0;
        taken = 0;
    }

    Opcode opcode() {
        return opcode;
    }

    /** Payload bytes that have not been sent. */
    long left() {
        return left;
    }

    /** Payload that lies on the heap; null if it lies in registered memory. */
    @Nullable
    ByteBuffer control() {
        return control;
    }

    /** Writes the header of the segment that the next {@code length} bytes make. */
    void putHead(ByteBuffer head, int length) {
        if (opcode.isTagged()) {
            Segment.putTagged(head, opcode, length == left, length, stag, offset);
        } else {
            Segment.putUntagged(head, opcode, length == left, length, stag, sequence, (int) offset);
        }
    }

    /** The next piece of the payload, which is not empty; there is one while {@link #left} is positive. */
    MemorySegment piece() {
        while (taken == pieces.get(piece).length()) {
            piece++;
            taken = 0;
        }
        return pieces.get(piece);
    }

    /** How many bytes of {@link #piece} have been sent. */
    int taken() {
        return taken;
    }

    /** Marks bytes of {@link #piece} as sent. */
    void take(int length) {
        taken += length;
        offset += length;
        left -= length;
    }

    /** All of it has been sent: forgets the payload. */
    void end() {
        pieces = List.of();
        control = null;
        left = 0;
    }
}
