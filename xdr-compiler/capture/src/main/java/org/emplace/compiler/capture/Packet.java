// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.emplace.compiler.capture.CaptureFile.Frame;

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
    private static final int TCP_HEADER = 20;
    private static final int UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int DESTINATION_OPTIONS = 60;

    record Endpoint(ByteBuffer address, int port) {
        @Override
        public String toString() {
            return text(address) + ":" + port;
        }
    }

    record Tcp(int sequence, int acknowledgment, int flags) {
        static final int FIN = 1;
        static final int SYN = 2;
        static final int RST = 4;
        static final int ACK = 16;

        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    /** An IP header. Its length is that of the whole packet, even if not all of it was captured. */
    private record Ip(int protocol, ByteBuffer from, ByteBuffer to, ByteBuffer bytes, int header, int length) {}

    /** Parses a frame; empty if it is not TCP or UDP over IP, is a fragment, or is cut before the payload. */
    static Optional<Packet> of(Frame frame) {
        try {
            return ip(frame).flatMap(ip -> of(frame.nanoseconds(), ip));
        } catch (IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static Optional<Ip> ip(Frame frame) {
        return switch (frame.linkType()) {
            case ETHERNET -> ip(frame.bytes(), 12, 14);
            case LINUX_COOKED -> ip(frame.bytes(), 14, 16);
            case LINUX_COOKED_2 -> ip(frame.bytes(), 0, 20);
            case RAW, IPV4_ALONE, IPV6_ALONE -> ip(frame.bytes());
            default -> Optional.empty();
        };
    }

    private static Optional<Ip> ip(ByteBuffer frame, int typeAt, int linkHeader) {
        int type = Short.toUnsignedInt(frame.getShort(typeAt));
        return type == TYPE_IPV4 || type == TYPE_IPV6
                ? ip(frame.slice(linkHeader, frame.remaining() - linkHeader))
                : Optional.empty();
    }

    private static Optional<Ip> ip(ByteBuffer bytes) {
        return switch ((bytes.get(0) >> 4) & 0xf) {
            case 4 -> ipv4(bytes);
            case 6 -> Optional.of(ipv6(bytes));
            default -> Optional.empty();
        };
    }

    private static Optional<Ip> ipv4(ByteBuffer bytes) {
        int header = (bytes.get(0) & 0xf) * 4;
        boolean isFragment = (bytes.getShort(6) & 0x3fff) != 0;
        // With segmentation offload a packet may be longer than its header can express; the length field is then zero.
        int said = Short.toUnsignedInt(bytes.getShort(2));
        int length = said == 0 ? bytes.remaining() : said;
        Ip ip = new Ip(bytes.get(9), bytes.slice(12, 4), bytes.slice(16, 4), bytes, header, length);
        return header < 20 || isFragment ? Optional.empty() : Optional.of(ip);
    }

    private static Ip ipv6(ByteBuffer bytes) {
        int header = 40;
        int said = Short.toUnsignedInt(bytes.getShort(4));
        int length = said == 0 ? bytes.remaining() : header + said;
        int next = Byte.toUnsignedInt(bytes.get(6));
        while (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION_OPTIONS) {
            next = Byte.toUnsignedInt(bytes.get(header));
            header += 8 + 8 * Byte.toUnsignedInt(bytes.get(header + 1));
        }
        return new Ip(next, bytes.slice(8, 16), bytes.slice(24, 16), bytes, header, length);
    }

    private static Optional<Packet> of(long nanoseconds, Ip ip) {
        ByteBuffer bytes = ip.bytes();
        int at = ip.header();
        int start = at + UDP_HEADER;
        Optional<Tcp> tcp = Optional.empty();
        if (ip.protocol() == TCP) {
            tcp = Optional.of(new Tcp(bytes.getInt(at + 4), bytes.getInt(at + 8), bytes.get(at + 13)));
            start = at + Math.max(TCP_HEADER, ((bytes.get(at + 12) >> 4) & 0xf) * 4);
        } else if (ip.protocol() != UDP) {
            return Optional.empty();
        }
        int end = Math.min(ip.length(), bytes.remaining());
        return Optional.of(new Packet(
                nanoseconds,
                new Endpoint(ip.from(), Short.toUnsignedInt(bytes.getShort(at))),
                new Endpoint(ip.to(), Short.toUnsignedInt(bytes.getShort(at + 2))),
                tcp,
                bytes.slice(start, end - start),
                ip.length() - end));
    }

    /** An address as text; IPv6 in brackets. */
    static String text(ByteBuffer address) {
        byte[] bytes = new byte[address.remaining()];
        address.duplicate().get(bytes);
        try {
            String text = InetAddress.getByAddress(bytes).getHostAddress();
            return bytes.length == 4 ? text : "[" + text + "]";
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address has " + bytes.length + " bytes", e);
        }
    }
}
