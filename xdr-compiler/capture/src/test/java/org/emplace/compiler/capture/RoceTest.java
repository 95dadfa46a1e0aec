// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.compiler.capture.Messages.DATA_POSITION;
import static org.emplace.compiler.capture.Messages.done;
import static org.emplace.compiler.capture.Messages.getByChunk;
import static org.emplace.compiler.capture.Messages.gotByChunk;
import static org.emplace.compiler.capture.Messages.otherXid;
import static org.emplace.compiler.capture.Messages.putByChunk;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RoCE version 2, packet by packet as the InfiniBand architecture has it. */
class RoceTest {
    private static final int CLIENT = 1;
    private static final int SERVER = 2;
    private static final int UDP = 17;
    private static final int FIRST_NUMBER = 0xff_fffe;

    private final Pcap file = new Pcap();
    private int[] queuePairs = {0, 0x11, 0x22};
    private int[] numbers = {0, FIRST_NUMBER, 5000};

    @Test
    void aConnectionIsExplained() {
        connect();
        talk();

        assertThat(file.lines())
                .contains(
                        "    Read chunk at position 48 -> stored.data, 600 bytes",
                        "        handle 0x00000007, offset 0x100, 600 bytes; 600 read by 1 RDMA Read",
                        "    Write chunk 1 <- found.data, 600 of 612 bytes",
                        "        handle 0x00000008, 600 of 612 bytes; 600 written by 1 RDMA Write",
                        "connections: 1, calls: 2, replies: 2, other messages: 0, violations: 0")
                .anyMatch(line -> line.endsWith("10.0.0.1 QP 0x11 -> 10.0.0.2 QP 0x22  set-up: sends up to 1,024 bytes"
                        + " inline, receives up to 1,024"));
    }

    @Test
    void aConnectionWithoutSetUpIsInferred() {
        talk();

        assertThat(file.lines())
                .contains(
                        "    Write chunk 1 <- found.data, 600 of 612 bytes",
                        "connections: 1, calls: 2, replies: 2, other messages: 0, violations: 0");
    }

    @Test
    void retransmittedPacketsCountOnce() {
        connect();
        byte[] call = putByChunk(DATA_POSITION, 10);
        packet(CLIENT, 4, call);
        numbers[CLIENT]--;
        packet(CLIENT, 4, call);
        packet(SERVER, 4, done(1));

        assertThat(file.lines()).contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void missingPacketsAreReported() {
        connect();
        byte[] call = getByChunk(12);
        packet(CLIENT, 4, call);
        packet(SERVER, 0x06, write(8, 0x200, 24, new byte[8]));
        numbers[SERVER]++;
        packet(SERVER, 0x08, new byte[8]);
        packet(SERVER, 4, gotByChunk(1, 12));

        assertThat(file.lines())
                .anyMatch(line -> line.endsWith("gap: 1 packet is not in the capture"))
                .contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void aMissingPacketAfterAReadIsReported() {
        connect();
        for (int i = 0; i < 2; i++) {
            packet(CLIENT, 4, putByChunk(DATA_POSITION, 2048));
            int request = numbers[SERVER];
            packet(SERVER, 0x0c, new Words().wide(0x100).and(7, 2048).toBytes());
            numbers[SERVER]++;
            answer(CLIENT, 0x0d, request, Words.of(0).and(new byte[1024]).toBytes());
            answer(CLIENT, 0x0f, request + 1, Words.of(0).and(new byte[1024]).toBytes());
            numbers[SERVER] += i;
            packet(SERVER, 4, done(1));
        }

        assertThat(file.lines())
                .contains("        handle 0x00000007, offset 0x100, 2,048 bytes; 2,048 read by 1 RDMA Read")
                .filteredOn(line -> line.contains("gap:"))
                .singleElement()
                .asString()
                .endsWith("gap: 1 packet is not in the capture");
    }

    @Test
    void theFirstPacketMayBeMissing() {
        connect();
        numbers[CLIENT]++;
        packet(CLIENT, 4, otherXid(getByChunk(12), 0));
        acknowledge(SERVER, numbers[CLIENT] - 1);
        packet(SERVER, 4, done(1));

        assertThat(file.lines())
                .contains("    note: its call is not in the capture")
                .noneMatch(line -> line.contains("no pending call has this xid"));
    }

    @Test
    void connectionsBetweenTheSameHostsAreDistinguished() {
        packet(CLIENT, 4, getByChunk(12));
        int[] other = {0, 0x31, 0x32};
        int[] first = queuePairs;
        int[] firstNumbers = numbers;
        queuePairs = other;
        numbers = new int[] {0, FIRST_NUMBER - 1000, 7000};
        packet(CLIENT, 4, getByChunk(12));
        acknowledge(SERVER, numbers[CLIENT] - 1);
        packet(SERVER, 4, gotByChunk(1, 0));
        queuePairs = first;
        numbers = firstNumbers;
        acknowledge(SERVER, numbers[CLIENT] - 1);
        packet(SERVER, 4, gotByChunk(1, 0));

        assertThat(file.lines())
                .contains("connections: 2, calls: 2, replies: 2, other messages: 0, violations: 0")
                .anyMatch(line -> line.contains("10.0.0.2 QP 0x22 -> 10.0.0.1 QP 0x11  reply to GET"))
                .anyMatch(line -> line.contains("10.0.0.2 QP 0x32 -> 10.0.0.1 QP 0x31  reply to GET"));
    }

    @Test
    void anAnswerJoinsTheHalvesOfAConnection() {
        packet(CLIENT, 4, getByChunk(12));
        packet(SERVER, 4, done(1));
        acknowledge(SERVER, numbers[CLIENT] - 1);
        acknowledge(CLIENT, numbers[SERVER] - 1);
        talk();

        assertThat(file.lines())
                .contains("    Write chunk 1 <- found.data, 600 of 612 bytes")
                .anyMatch(line -> line.contains("10.0.0.1 QP 0x11 -> 10.0.0.2 QP 0x22  call PUT"))
                .anyMatch(line -> line.contains("10.0.0.2 QP 0x22 -> 10.0.0.1 QP 0x11  reply to PUT"))
                .anyMatch(line -> line.endsWith("violations: 0"));
    }

    @Test
    void clientsMayHaveTheSameCommunicationId() {
        connectRequest(CLIENT, queuePairs[CLIENT]);
        connectRequest(3, 0x33);
        connectReply();
        talk();

        assertThat(file.lines())
                .anyMatch(line -> line.contains("10.0.0.1 QP 0x11 -> 10.0.0.2 QP 0x22  set-up: "))
                .contains("connections: 1, calls: 2, replies: 2, other messages: 0, violations: 0");
    }

    @Test
    @Timeout(60)
    void manyQueuePairsCostLittle() {
        for (int i = 0; i < 60_000; i++) {
            udp(CLIENT, SERVER, 4, 0x100 + i, i, new byte[4]);
        }

        assertThat(file.lines())
                .containsExactly("connections: 0, calls: 0, replies: 0, other messages: 0, violations: 0");
    }

    @Test
    void aWriteBeyondItsSegmentIsFound() {
        connect();
        packet(CLIENT, 4, getByChunk(12));
        packet(SERVER, 0x0a, write(8, 0x200, 16, new byte[16]));
        packet(SERVER, 4, gotByChunk(1, 12));

        assertThat(file.lines())
                .filteredOn(line -> line.contains("VIOLATION"))
                .singleElement()
                .asString()
                .contains("goes 4 bytes beyond its segment");
    }

    @Test
    void corruptedPacketsCauseNoDefect() throws IOException {
        connect();
        talk();
        Pcap.explainSpoilt(file.bytes(), Pcap.meaning(), 500);
    }

    /** A PUT whose data are read in three packets, and a GET whose data are written in three. */
    private void talk() {
        byte[] put = putByChunk(DATA_POSITION, 600);
        packet(CLIENT, 0x00, Arrays.copyOf(put, 64));
        packet(CLIENT, 0x02, Arrays.copyOfRange(put, 64, put.length));
        acknowledge(SERVER, numbers[CLIENT] - 1);
        int request = numbers[SERVER];
        packet(SERVER, 0x0c, new Words().wide(0x100).and(7, 600).toBytes());
        numbers[SERVER] += 2;
        answer(CLIENT, 0x0d, request, Words.of(0).and(new byte[256]).toBytes());
        answer(CLIENT, 0x0e, request + 1, new byte[256]);
        answer(CLIENT, 0x0f, request + 2, Words.of(0).and(new byte[88]).toBytes());
        packet(SERVER, 4, done(1));
        acknowledge(CLIENT, numbers[SERVER] - 1);
        packet(CLIENT, 4, getByChunk(612));
        packet(SERVER, 0x06, write(8, 0x200, 600, new byte[256]));
        packet(SERVER, 0x07, new byte[256]);
        packet(SERVER, 0x08, new byte[88]);
        packet(SERVER, 0x17, Words.of(8).and(gotByChunk(1, 600)).toBytes());
    }

    /** ConnectRequest and ConnectReply, with the private data of librdmacm's address header and RFC 8797. */
    private void connect() {
        connectRequest(CLIENT, queuePairs[CLIENT]);
        connectReply();
    }

    /** A request has the number with which its receiver is to begin, as a reply has. */
    private void connectRequest(int from, int queuePair) {
        byte[] request = new byte[232];
        write(request, 0, Words.of(0xa1));
        write(request, 32, Words.of(queuePair << 8));
        write(request, 44, Words.of(numbers[SERVER] << 8));
        write(request, 140 + 36, new Words().and(IwarpTraffic.PRIVATE_DATA));
        udp(from, SERVER, 0x64, 1, 0, management(0x10, request));
    }

    private void connectReply() {
        byte[] reply = new byte[232];
        write(reply, 0, Words.of(0xb2, 0xa1));
        write(reply, 12, Words.of(queuePairs[SERVER] << 8));
        write(reply, 20, Words.of(numbers[CLIENT] << 8));
        write(reply, 36, new Words().and(IwarpTraffic.PRIVATE_DATA));
        udp(SERVER, CLIENT, 0x64, 1, 0, management(0x13, reply));
    }

    private static byte[] management(int attribute, byte[] message) {
        return Words.of(0x80010000, 1)
                .octets(1, 7, 2, 3)
                .and(0, 0, 0)
                .shorts(attribute, 0)
                .and(0)
                .and(message)
                .toBytes();
    }

    private static void write(byte[] to, int at, Words words) {
        byte[] bytes = words.toBytes();
        System.arraycopy(bytes, 0, to, at, bytes.length);
    }

    private static byte[] write(int handle, long offset, int length, byte[] data) {
        return new Words().wide(offset).and(handle, length).and(data).toBytes();
    }

    private void packet(int from, int opcode, byte[] body) {
        answer(from, opcode, numbers[from]++, body);
    }

    private void acknowledge(int from, int number) {
        answer(from, 0x11, number, Words.of(1).toBytes());
    }

    private void answer(int from, int opcode, int number, byte[] body) {
        int to = CLIENT + SERVER - from;
        udp(from, to, opcode, queuePairs[to], number, body);
    }

    private void udp(int from, int to, int opcode, int queuePair, int number, byte[] body) {
        int pad = -body.length & 3;
        byte[] payload = new Words()
                .octets(opcode, pad << 4, 0xff, 0xff)
                .and(queuePair, number & 0xff_ffff)
                .and(body)
                .and(new byte[pad + 4])
                .toBytes();
        file.packet(
                UDP,
                from,
                to,
                new Words()
                        .shorts(0xc000, 4791, 8 + payload.length, 0)
                        .and(payload)
                        .toBytes());
    }
}
