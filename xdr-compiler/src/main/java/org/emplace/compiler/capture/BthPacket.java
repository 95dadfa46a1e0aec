// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A packet of the InfiniBand transport, as RoCE version 2 carries it in UDP: the base transport header (BTH) and what follows.
 *
 * @param from the sender's IP address
 * @param queuePair the receiver's, by number
 * @param number its packet sequence number (PSN), of 24 bits
 * @param body what follows the BTH, without padding and checksum
 * @param missing how many bytes of the body were not captured
 */
record BthPacket(
        long nanoseconds,
        ByteBuffer from,
        ByteBuffer to,
        int opcode,
        int queuePair,
        int number,
        ByteBuffer body,
        int missing) {

    static final int PORT = 4791;

    static final int SEND_LAST_WITH_IMMEDIATE = 0x03;
    static final int SEND_ONLY = 0x04;
    static final int SEND_ONLY_WITH_IMMEDIATE = 0x05;
    static final int WRITE_FIRST = 0x06;
    static final int WRITE_LAST = 0x08;
    static final int WRITE_LAST_WITH_IMMEDIATE = 0x09;
    static final int WRITE_ONLY = 0x0a;
    static final int WRITE_ONLY_WITH_IMMEDIATE = 0x0b;
    static final int READ_REQUEST = 0x0c;
    static final int READ_RESPONSE_FIRST = 0x0d;
    static final int READ_RESPONSE_MIDDLE = 0x0e;
    static final int READ_RESPONSE_ONLY = 0x10;
    static final int ACKNOWLEDGE = 0x11;
    static final int ATOMIC_ACKNOWLEDGE = 0x12;
    static final int SEND_LAST_WITH_INVALIDATE = 0x16;
    static final int SEND_ONLY_WITH_INVALIDATE = 0x17;
    static final int DATAGRAM = 0x64;

    private static final int BTH = 12;
    private static final int INVARIANT_CRC = 4;

    /** Parses a UDP datagram; empty if it is not RoCE version 2. */
    static Optional<BthPacket> of(Packet packet) {
        ByteBuffer bytes = packet.payload();
        if (packet.to().port() != PORT || packet.tcp().isPresent() || bytes.remaining() < BTH) {
            return Optional.empty();
        }
        int behind = INVARIANT_CRC + ((bytes.get(1) >> 4) & 3);
        int said = bytes.remaining() + packet.missing() - BTH - behind;
        if (said < 0) {
            return Optional.empty();
        }
        int captured = Math.min(said, bytes.remaining() - BTH);
        return Optional.of(new BthPacket(
                packet.nanoseconds(),
                packet.from().address(),
                packet.to().address(),
                Byte.toUnsignedInt(bytes.get(0)),
                bytes.getInt(4) & 0xff_ffff,
                bytes.getInt(8) & 0xff_ffff,
                bytes.slice(BTH, captured),
                said - captured));
    }

    /** Whether it answers the other side's requests, with their numbers. */
    boolean isAnswer() {
        return opcode >= READ_RESPONSE_FIRST && opcode <= ATOMIC_ACKNOWLEDGE;
    }

    boolean isSend() {
        return opcode <= SEND_ONLY_WITH_IMMEDIATE || isInvalidating();
    }

    private boolean isInvalidating() {
        return opcode == SEND_LAST_WITH_INVALIDATE || opcode == SEND_ONLY_WITH_INVALIDATE;
    }

    boolean isWrite() {
        return opcode >= WRITE_FIRST && opcode <= WRITE_ONLY_WITH_IMMEDIATE;
    }

    /** Whether a Send or Write begins with it. */
    boolean isFirst() {
        return switch (opcode) {
            case 0, SEND_ONLY, SEND_ONLY_WITH_IMMEDIATE, SEND_ONLY_WITH_INVALIDATE -> true;
            case WRITE_FIRST, WRITE_ONLY, WRITE_ONLY_WITH_IMMEDIATE -> true;
            default -> false;
        };
    }

    /** Whether a Send or Write ends with it. */
    boolean isLast() {
        return switch (opcode) {
            case 2, SEND_LAST_WITH_IMMEDIATE, SEND_ONLY, SEND_ONLY_WITH_IMMEDIATE -> true;
            case WRITE_LAST, WRITE_LAST_WITH_IMMEDIATE, WRITE_ONLY, WRITE_ONLY_WITH_IMMEDIATE -> true;
            default -> isInvalidating();
        };
    }

    /** The bytes that it carries, after further headers. */
    ByteBuffer data() {
        int header = switch (opcode) {
            case WRITE_FIRST, WRITE_ONLY, READ_REQUEST -> 16;
            case WRITE_ONLY_WITH_IMMEDIATE -> 20;
            case SEND_LAST_WITH_IMMEDIATE, SEND_ONLY_WITH_IMMEDIATE, WRITE_LAST_WITH_IMMEDIATE -> 4;
            case SEND_LAST_WITH_INVALIDATE, SEND_ONLY_WITH_INVALIDATE -> 4;
            case READ_RESPONSE_FIRST, 0x0f, READ_RESPONSE_ONLY, ACKNOWLEDGE -> 4;
            default -> 0;
        };
        int skipped = Math.min(header, body.remaining());
        return body.slice(skipped, body.remaining() - skipped);
    }
}
