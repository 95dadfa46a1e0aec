// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The message that is being sent: its header and the rest of its payload. A connection has one object, which the source sets up for each message, so
 * that messages create no garbage.
 */
public final class OutboundMessage {
    private Opcode opcode = Opcode.SEND;
    private int stag;
    private int sequence;
    private long offset;
    /** The payload, in registered memory or on the heap. */
    private List<MemorySegment> pieces = List.of();

    private @Nullable ByteBuffer control;
    /** The payload of Read Requests; null before the first one. */
    private @Nullable ByteBuffer readRequest;

    private long left;
    /** The index of the current piece, and how many bytes of that piece have been sent. */
    private int piece;

    private int taken;

    OutboundMessage() {}

    /** Sets up a tagged message, to memory of the peer, with the {@code pieces} as payload in order. */
    public void tagged(Opcode opcode, int stag, long offset, List<MemorySegment> pieces) {
        begin(opcode, stag, 0, offset, pieces, null, MemorySegment.total(pieces));
    }

    /** Sets up an untagged message, to a queue of the peer, with the {@code pieces} as payload in order. */
    public void untagged(Opcode opcode, int invalidate, int sequence, List<MemorySegment> pieces) {
        begin(opcode, invalidate, sequence, 0, pieces, null, MemorySegment.total(pieces));
    }

    /** Sets up an untagged message whose payload is on the heap and fits in one FPDU. */
    void control(Opcode opcode, int sequence, ByteBuffer payload) {
        begin(opcode, 0, sequence, 0, List.of(), payload, payload.remaining());
    }

    /** Sets up an RDMA Read Request. */
    public void readRequest(int sequence, ReadRequest request) {
        if (readRequest == null) {
            readRequest = ByteBuffer.allocate(ReadRequest.LENGTH);
        }
        request.putInto(readRequest.clear());
        control(Opcode.READ_REQUEST, sequence, readRequest.flip());
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

    /** The number of payload bytes that have not been sent. */
    long left() {
        return left;
    }

    /** The payload if it is on the heap; null if it is in registered memory. */
    @Nullable
    ByteBuffer control() {
        return control;
    }

    /** Writes the header of a segment with the next {@code length} bytes of payload. */
    void putHead(ByteBuffer head, int length) {
        if (opcode.isTagged()) {
            Segment.putTagged(head, opcode, length == left, length, stag, offset);
        } else {
            Segment.putUntagged(head, opcode, length == left, length, stag, sequence, (int) offset);
        }
    }

    /** The current piece of the payload, never empty. Requires that {@link #left} is positive. */
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

    /** Drops the payload of a message that has been sent. */
    void end() {
        pieces = List.of();
        control = null;
        left = 0;
    }
}
