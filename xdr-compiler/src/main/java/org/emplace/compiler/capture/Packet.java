// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A TCP segment or UDP datagram.
 *
 * @param nanoseconds when it was captured
 * @param tcp empty for UDP
 * @param payload as captured
 * @param missing how many bytes of the payload were not captured
 */
record Packet(long nanoseconds, Endpoint from, Endpoint to, Optional<Tcp> tcp, ByteBuffer payload, int missing) {
    private static final int ETHERNET = 1;
    private static final int RAW = 101;
    private static final int LINUX_COOKED = 113;
    private static final int IPV4_ALONE = 228;
    private static final int IPV6_ALONE = 229;
    private static final int LINUX_COOKED_2 = 276;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86dd;

    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int DESTINATION_OPTIONS = 60;

    /** The TCP header fields that matter here. */
    record Tcp(int sequence, int acknowledgement, int flags) {
        private static final int FIN = 1;
        private static final int SYN = 2;
        private static final int RST = 4;
        private static final int ACK = 16;

        boolean isSyn() {
            return (flags & SYN) != 0;
        }

        boolean isAck() {
            return (flags & ACK) != 0;
        }

        boolean isFin() {
            return (flags & FIN) != 0;
        }

        boolean isReset() {
            return (flags & RST) != 0;
        }
    }

    /** Parses a frame; empty if it is not TCP or UDP over IP, is a fragment, or is cut before the payload. */
    static Optional<Packet> of(Frame frame) {
        ByteBuffer bytes = frame.bytes().duplicate();
        int linkHeader = linkHeader(frame.linkType(), bytes);
        if (linkHeader < 0 || bytes.remaining() <= linkHeader) {
            return Optional.empty();
        }
        ByteBuffer ip = bytes.slice(linkHeader, bytes.remaining() - linkHeader);
        int version = (ip.get(0) >> 4) & 0xf;
        if (version == 4) {
            return ofIpv4(frame, ip);
        }
        return version == 6 ? ofIpv6(frame, ip) : Optional.empty();
    }

    /** The length of the headers before the IP header; negative if no IP follows. */
    private static int linkHeader(int linkType, ByteBuffer bytes) {
        return switch (linkType) {
            case ETHERNET -> behindType(bytes, 12, 14);
            case LINUX_COOKED -> behindType(bytes, 14, 16);
            case LINUX_COOKED_2 -> behindType(bytes, 0, 20);
            case RAW, IPV4_ALONE, IPV6_ALONE -> 0;
            default -> -1;
        };
    }

    private static int behindType(ByteBuffer bytes, int typeAt, int length) {
        if (bytes.remaining() < length) {
            return -1;
        }
        int type = Short.toUnsignedInt(bytes.getShort(typeAt));
        return type == TYPE_IPV4 || type == TYPE_IPV6 ? length : -1;
    }

    private static Optional<Packet> ofIpv4(Frame frame, ByteBuffer ip) {
        int header = (ip.get(0) & 0xf) * 4;
        if (header < 20 || ip.remaining() < header || (ip.getShort(6) & 0x3fff) != 0) {
            return Optional.empty();
        }
        // With segmentation offload a packet may be longer than its header can say; the length there
        // is then zero.
        int said = Short.toUnsignedInt(ip.getShort(2));
        int length = said == 0 ? ip.remaining() : said;
        return ofTransport(frame, ip.get(9), ip.slice(12, 4), ip.slice(16, 4), ip, header, length);
    }

    private static Optional<Packet> ofIpv6(Frame frame, ByteBuffer ip) {
        int at = 40;
        if (ip.remaining() < at) {
            return Optional.empty();
        }
        int said = Short.toUnsignedInt(ip.getShort(4));
        int length = said == 0 ? ip.remaining() : at + said;
        int next = Byte.toUnsignedInt(ip.get(6));
        while (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION_OPTIONS) {
            if (ip.remaining() < at + 8) {
                return Optional.empty();
            }
            next = Byte.toUnsignedInt(ip.get(at));
            at += 8 + 8 * Byte.toUnsignedInt(ip.get(at + 1));
        }
        return ofTransport(frame, next, ip.slice(8, 16), ip.slice(24, 16), ip, at, length);
    }

    private static Optional<Packet> ofTransport(
            Frame frame, int protocol, ByteBuffer from, ByteBuffer to, ByteBuffer ip, int at, int length) {
        int here = ip.remaining() - at;
        if (protocol == UDP && here >= 8) {
            return packet(frame, from, to, Optional.empty(), ip, at, 8, length);
        }
        if (protocol == TCP && here >= 20) {
            Tcp tcp = new Tcp(ip.getInt(at + 4), ip.getInt(at + 8), ip.get(at + 13));
            return packet(frame, from, to, Optional.of(tcp), ip, at, ((ip.get(at + 12) >> 4) & 0xf) * 4, length);
        }
        return Optional.empty();
    }

    private static Optional<Packet> packet(
            Frame frame,
            ByteBuffer from,
            ByteBuffer to,
            Optional<Tcp> tcp,
            ByteBuffer ip,
            int at,
            int header,
            int length) {
        int start = at + header;
        int end = Math.min(length, ip.remaining());
        if (header < 8 || start > end) {
            return Optional.empty();
        }
        return Optional.of(new Packet(
                frame.nanoseconds(),
                new Endpoint(from, Short.toUnsignedInt(ip.getShort(at))),
                new Endpoint(to, Short.toUnsignedInt(ip.getShort(at + 2))),
                tcp,
                ip.slice(start, end - start),
                length - end));
    }
}
