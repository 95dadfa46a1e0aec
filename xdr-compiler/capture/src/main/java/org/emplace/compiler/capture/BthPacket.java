// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/**
 * A packet of the InfiniBand transport, as RoCE version 2 carries it in UDP: the base transport header (BTH) and what follows.
 *
 * @param from the sender's IP address
 * @param number its packet sequence number (PSN), of 24 bits
 * @param body what follows the BTH, without padding and checksum
 * @param missing how many bytes of the body were not captured
 */
record BthPacket(
        long nanoseconds, ByteBuffer from, QueuePair to, int opcode, int number, ByteBuffer body, int missing) {

    private static final int PORT = 4791;
    private static final int BTH = 12;
    private static final int INVARIANT_CRC = 4;

    static final int READ_REQUEST = 0x0c;
    static final int READ_RESPONSE_FIRST = 0x0d;
    static final int READ_RESPONSE_MIDDLE = 0x0e;
    static final int READ_RESPONSE_ONLY = 0x10;
    static final int ACKNOWLEDGE = 0x11;
    static final int DATAGRAM = 0x64;

    private static final int SEND_LAST_WITH_IMMEDIATE = 0x03;
    private static final int SEND_ONLY_WITH_IMMEDIATE = 0x05;
    private static final int WRITE_FIRST = 0x06;
    private static final int ATOMIC_ACKNOWLEDGE = 0x12;
    private static final int SEND_LAST_WITH_INVALIDATE = 0x16;
    private static final int SEND_ONLY_WITH_INVALIDATE = 0x17;

    /** Sends, and then Writes: first, middle, last, last with immediate data, only, only with immediate data. */
    private static final int KINDS = 6;

    private static final int TARGET = 16;

    /** The end of a connection at a host. */
    record QueuePair(ByteBuffer address, int number) {
        @Override
        public String toString() {
            return Packet.text(address) + " QP 0x" + Integer.toHexString(number);
        }
    }

    /** Parses a UDP datagram; empty if it is not RoCE version 2. */
    static Optional<BthPacket> of(Packet packet) {
        ByteBuffer bytes = packet.payload();
        if (packet.to().port() != PORT || bytes.remaining() < BTH) {
            return Optional.empty();
        }
        int behind = INVARIANT_CRC + ((bytes.get(1) >> 4) & 3);
        int length = bytes.remaining() + packet.missing() - BTH - behind;
        if (length < 0) {
            return Optional.empty();
        }
        int captured = Math.min(length, bytes.remaining() - BTH);
        return Optional.of(new BthPacket(
                packet.nanoseconds(),
                packet.from().address(),
                new QueuePair(packet.to().address(), bytes.getInt(4) & 0xff_ffff),
                withoutInvalidation(Byte.toUnsignedInt(bytes.get(0))),
                bytes.getInt(8) & 0xff_ffff,
                bytes.slice(BTH, captured),
                length - captured));
    }

    /** Maps an opcode with a handle to invalidate to one with immediate data, which has the same place and length. */
    private static int withoutInvalidation(int opcode) {
        return switch (opcode) {
            case SEND_LAST_WITH_INVALIDATE -> SEND_LAST_WITH_IMMEDIATE;
            case SEND_ONLY_WITH_INVALIDATE -> SEND_ONLY_WITH_IMMEDIATE;
            default -> opcode;
        };
    }

    /** Whether it answers a request of the other side, and has its number. */
    boolean isAnswer() {
        return opcode >= READ_RESPONSE_FIRST && opcode <= ATOMIC_ACKNOWLEDGE;
    }

    boolean isSend() {
        return opcode < WRITE_FIRST;
    }

    boolean isWrite() {
        return opcode >= WRITE_FIRST && opcode < READ_REQUEST;
    }

    /** Whether a Send or Write begins with it. */
    boolean isFirst() {
        return opcode % KINDS == 0 || opcode % KINDS >= 4;
    }

    /** Whether a Send or Write ends with it. */
    boolean isLast() {
        return opcode % KINDS >= 2;
    }

    private boolean hasImmediate() {
        return opcode < READ_REQUEST && (opcode % KINDS == 3 || opcode % KINDS == 5);
    }

    /** The memory range in the header of an RDMA operation; empty if the header is cut. */
    Optional<Segment> target() {
        return body.remaining() < TARGET
                ? Optional.empty()
                : Optional.of(new Segment(body.getInt(8), Integer.toUnsignedLong(body.getInt(12)), body.getLong(0)));
    }

    /** The payload, after further headers. */
    ByteBuffer data() {
        int header = isWrite() && isFirst() ? TARGET : 0;
        if (hasImmediate() || (isAnswer() && opcode != READ_RESPONSE_MIDDLE)) {
            header += 4;
        }
        int skipped = Math.min(header, body.remaining());
        return body.slice(skipped, body.remaining() - skipped);
    }
}
