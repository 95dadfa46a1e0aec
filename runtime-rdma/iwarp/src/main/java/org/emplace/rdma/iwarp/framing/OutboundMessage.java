// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The message on its way out: its header, and what is left of its payload. A connection has one such object, which the source of messages
 * sets up anew for each: messages leave no garbage.
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
    /** The piece that is being taken off, and how much of it has been. */
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

    /** Payload bytes that have not been taken off. */
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

    /** The piece of the payload that comes next, which is not empty; there is one as long as {@link #left} says so. */
    MemorySegment piece() {
        while (taken == pieces.get(piece).length()) {
            piece++;
            taken = 0;
        }
        return pieces.get(piece);
    }

    /** How many bytes of {@link #piece} have been taken off. */
    int taken() {
        return taken;
    }

    /** Takes bytes of {@link #piece} off. */
    void take(int length) {
        taken += length;
        offset += length;
        left -= length;
    }

    /** All of it has been taken off: forgets the payload. */
    void end() {
        pieces = List.of();
        control = null;
        left = 0;
    }
}
