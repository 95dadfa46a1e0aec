// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** A client and a server that exchange a test's messages by iWARP. */
final class IwarpTraffic {
    static final int CLIENT = 1;
    static final int SERVER = 2;

    /** RFC 8797: 1024 bytes each way. */
    static final byte[] PRIVATE_DATA = Words.of(0xf6ab0e18, 0x01000000).toBytes();

    private static final int SYN = 2;
    private static final int ACK = 16;
    private static final int TCP = 6;

    private final Pcap file;
    private final int[] sequence = {0, 0xffff_fff0, 100};
    private final int[] messages = {0, 0, 0};
    /** Where the next RDMA Read puts what it reads. */
    private long sink = 0x5000;

    private boolean hasCrc;
    private boolean isHidden;

    IwarpTraffic(Pcap file) {
        this.file = file;
    }

    /** A connection whose set-up is in the capture, without CRC. */
    static IwarpTraffic connected(Pcap file) {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.handshake();
        traffic.setUp(0, PRIVATE_DATA);
        return traffic;
    }

    void handshake() {
        segment(CLIENT, SYN, new byte[0]);
        sequence[CLIENT]++;
        segment(SERVER, SYN | ACK, new byte[0]);
        sequence[SERVER]++;
    }

    /** Exchanges MPA frames with these flags and private data, which both sides send. */
    void setUp(int flags, byte[] privateData) {
        hasCrc = (flags & 0x40) != 0;
        bytes(CLIENT, mpa("MPA ID Req Frame", flags, privateData));
        bytes(SERVER, mpa("MPA ID Rep Frame", flags, privateData));
    }

    private static byte[] mpa(String key, int flags, byte[] privateData) {
        return new Words()
                .and(key.getBytes(StandardCharsets.US_ASCII))
                .octets(flags, 1)
                .shorts(privateData.length)
                .and(privateData)
                .toBytes();
    }

    /** Sets whether the following packets are missing from the capture. */
    void hide(boolean hidden) {
        isHidden = hidden;
    }

    /** Sends bytes by TCP. */
    void bytes(int from, byte[] payload) {
        segment(from, ACK, payload);
        sequence[from] += payload.length;
    }

    /** Has the next bytes sent with the sequence numbers of earlier ones. */
    void rewind(int from, int length) {
        sequence[from] -= length;
    }

    private void segment(int from, int flags, byte[] payload) {
        if (!isHidden) {
            int to = CLIENT + SERVER - from;
            int[] ports = {0, 40000, 20049};
            file.packet(
                    TCP,
                    from,
                    to,
                    new Words()
                            .shorts(ports[from], ports[to])
                            .and(sequence[from], sequence[to])
                            .octets(0x50, flags, 0xff, 0xff, 0, 0, 0, 0)
                            .and(payload)
                            .toBytes());
        }
    }

    void send(int from, Words message) {
        send(from, message.toBytes());
    }

    void send(int from, byte[] message) {
        bytes(from, sendFpdu(from, 0, message, true));
    }

    /** A part of a message; the message ends with the last. */
    byte[] sendFpdu(int from, int offset, byte[] part, boolean isLast) {
        messages[from] += isLast ? 1 : 0;
        return fpdu(new Words()
                .octets(isLast ? 0x41 : 0x01, 0x43)
                .and(0, 0, messages[from] + (isLast ? 0 : 1), offset)
                .and(part)
                .toBytes());
    }

    void write(int from, int handle, long offset, byte[] data) {
        bytes(
                from,
                fpdu(new Words()
                        .octets(0xc1, 0x40)
                        .and(handle)
                        .wide(offset)
                        .and(data)
                        .toBytes()));
    }

    /** An RDMA Read of the other side's memory, with its answer. */
    void read(int from, int handle, long offset, byte[] data) {
        long to = sink;
        readRequest(from, handle, offset, data.length);
        bytes(
                CLIENT + SERVER - from,
                fpdu(new Words().octets(0xc1, 0x42).and(0x55).wide(to).and(data).toBytes()));
    }

    void readRequest(int from, int handle, long offset, int length) {
        bytes(
                from,
                fpdu(new Words()
                        .octets(0x41, 0x41)
                        .and(0, 1, 1, 0)
                        .and(0x55)
                        .wide(sink)
                        .and(length, handle)
                        .wide(offset)
                        .toBytes()));
        sink += length;
    }

    byte[] fpdu(byte[] ulpdu) {
        Words words = new Words().shorts(ulpdu.length).and(ulpdu).and(new byte[-(2 + ulpdu.length) & 3]);
        CRC32C crc = new CRC32C();
        crc.update(words.toBytes());
        ByteBuffer sum = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        return words.and(sum.putInt(hasCrc ? (int) crc.getValue() : 0).array()).toBytes();
    }
}
