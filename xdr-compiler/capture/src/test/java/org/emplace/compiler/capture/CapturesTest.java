// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.emplace.compiler.capture.IwarpTraffic.CLIENT;
import static org.emplace.compiler.capture.IwarpTraffic.PRIVATE_DATA;
import static org.emplace.compiler.capture.IwarpTraffic.SERVER;
import static org.emplace.compiler.capture.Messages.DATA_POSITION;
import static org.emplace.compiler.capture.Messages.GET;
import static org.emplace.compiler.capture.Messages.MSG;
import static org.emplace.compiler.capture.Messages.NOMSG;
import static org.emplace.compiler.capture.Messages.PUT;
import static org.emplace.compiler.capture.Messages.call;
import static org.emplace.compiler.capture.Messages.done;
import static org.emplace.compiler.capture.Messages.get;
import static org.emplace.compiler.capture.Messages.getByChunk;
import static org.emplace.compiler.capture.Messages.gotByChunk;
import static org.emplace.compiler.capture.Messages.header;
import static org.emplace.compiler.capture.Messages.otherXid;
import static org.emplace.compiler.capture.Messages.plain;
import static org.emplace.compiler.capture.Messages.putByChunk;
import static org.emplace.compiler.capture.Messages.reply;
import static org.emplace.compiler.capture.Messages.segment;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.emplace.compiler.capture.CaptureExplainer.MalformedCapture;
import org.emplace.compiler.javamodel.JavaModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures of all shapes, whole and in pieces, and files that are not captures. */
class CapturesTest {
    private final Pcap file = new Pcap();
    private final JavaModel protocol = Pcap.meaning(Messages.PROTOCOL);

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "101, false", "101, true", "113, false", "276, true"})
    void anyLinkTypeCarriesEitherVersionOfIp(int linkType, boolean isIpv6) {
        Pcap linked = new Pcap(linkType, isIpv6);
        IwarpTraffic traffic = IwarpTraffic.connected(linked);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(SERVER, done(1));

        assertThat(linked.lines())
                .anyMatch(line -> line.contains(isIpv6 ? "[2001:db8:0:0:0:0:0:1]:40000 -> " : "10.0.0.1:40000 -> "))
                .contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void messagesAreFoundWhereverTcpCutsThem() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        byte[] call = putByChunk(DATA_POSITION, 10);
        byte[] fpdus = new Words()
                .and(traffic.sendFpdu(CLIENT, 0, Arrays.copyOf(call, 50), false))
                .and(traffic.sendFpdu(CLIENT, 50, Arrays.copyOfRange(call, 50, call.length), true))
                .toBytes();
        for (int at = 0; at < fpdus.length; at += 7) {
            traffic.bytes(CLIENT, Arrays.copyOfRange(fpdus, at, Math.min(at + 7, fpdus.length)));
        }
        traffic.send(SERVER, done(1));

        assertThat(file.lines()).contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void segmentsMayComeTwice() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        byte[] call = traffic.sendFpdu(CLIENT, 0, putByChunk(DATA_POSITION, 10), true);
        traffic.bytes(CLIENT, call);
        traffic.rewind(CLIENT, call.length);
        traffic.bytes(CLIENT, call);
        traffic.send(SERVER, done(1));

        assertThat(file.lines()).contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void theLongerOfTwoCopiesOfASegmentCounts() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        byte[] call = putByChunk(DATA_POSITION, 10);
        byte[] early = traffic.sendFpdu(CLIENT, 0, Arrays.copyOf(call, 50), false);
        byte[] late = traffic.sendFpdu(CLIENT, 50, Arrays.copyOfRange(call, 50, call.length), true);
        traffic.rewind(CLIENT, -early.length);
        traffic.bytes(CLIENT, Arrays.copyOf(late, 20));
        traffic.rewind(CLIENT, 20);
        traffic.bytes(CLIENT, late);
        traffic.rewind(CLIENT, early.length + late.length);
        traffic.bytes(CLIENT, early);
        traffic.rewind(CLIENT, -late.length);
        traffic.send(SERVER, done(1));

        assertThat(file.lines())
                .contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0")
                .noneMatch(line -> line.contains("gap:"));
    }

    @Test
    void aReadResponseIsMatchedByItsSink() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 20));
        traffic.readRequest(SERVER, 7, 0x10a, 10);
        traffic.read(SERVER, 7, 0x100, new byte[10]);
        traffic.send(SERVER, done(1));

        assertThat(file.lines()).contains("        handle 0x00000007, offset 0x100, 20 bytes; 10 read by 2 RDMA Reads");
    }

    @Test
    void aLongCallAndALongReplyAreReadFromTheirChunks() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        byte[] call = call(PUT).and(5, 3, 0x61626300, 1, 0).toBytes();
        traffic.send(
                CLIENT,
                header(1, NOMSG)
                        .and(1, 0)
                        .and(segment(7, 20, 0x100))
                        .and(1, 0)
                        .and(segment(6, call.length - 20, 0x900))
                        .and(0, 0, 1, 1)
                        .and(segment(9, 64, 0x300)));
        traffic.read(SERVER, 7, 0x100, Arrays.copyOf(call, 20));
        traffic.read(SERVER, 6, 0x900, Arrays.copyOfRange(call, 20, call.length));
        traffic.write(SERVER, 9, 0x300, reply().toBytes());
        traffic.send(SERVER, header(1, NOMSG).and(0, 0, 1, 1).and(segment(9, 24, 0x300)));

        assertThat(file.lines())
                .contains(
                        "    Position Zero Read chunk -> the call itself, 60 bytes",
                        "    Reply chunk <- the reply itself, 24 of 64 bytes",
                        "connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0")
                .anyMatch(line -> line.endsWith("call PUT, xid 0x00001234"))
                .anyMatch(line -> line.endsWith("reply to PUT, xid 0x00001234: SUCCESS"));
    }

    /** Only without protection are the arguments those of the procedure. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 7 | 1 | context 0a0b0c0d0e, no protection of bodies, sequence number 7",
                "0 | -1 | 2 | context 0a0b0c0d0e, integrity, sequence number 4294967295",
                "0 | 9 | 3 | context 0a0b0c0d0e, privacy, sequence number 9",
                "0 | 9 | 5 | context 0a0b0c0d0e, service 5, sequence number 9",
                "1 | 0 | 1 | creates a context",
                "2 | 0 | 1 | goes on creating context 0a0b0c0d0e",
                "3 | 8 | 1 | destroys context 0a0b0c0d0e, sequence number 8",
                "4 | 8 | 1 | purpose 4",
            })
    void rpcsecGssIsNamed(int purpose, int sequence, int service, String described) {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        Words credential = Words.of(6, 25, 1, purpose, sequence, service, 5, 0x0a0b0c0d, 0x0e000000);
        Words call = Words.of(Messages.XID, 0, 2, 0x20000042, 1, GET)
                .and(credential)
                .and(6, 4, 0x5eed)
                .and(100);
        traffic.send(CLIENT, plain(1).and(call));
        traffic.send(
                SERVER,
                plain(1).and(Words.of(Messages.XID, 1, 0, 6, 4, 0x5eed, 0)).and(1));

        boolean isPlain = purpose == 0 && service == 1;
        assertThat(file.lines())
                .contains("    note: RPCSEC_GSS: " + described)
                .anyMatch(line -> line.contains("reply to GET") && line.endsWith(isPlain ? "SUCCESS, NONE" : "SUCCESS"))
                .contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
        assertThat(file.lines().contains("    note: arguments are not decoded: they are those of RPCSEC_GSS"))
                .isNotEqualTo(isPlain);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 25, 5, the version of RPCSEC_GSS is 2",
        "1, 24, 9, 'the credential of RPCSEC_GSS has 24 bytes, its handle 9'"
    })
    void aMalformedCredentialIsAViolation(int version, int length, int handle, String reason) {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        Words credential = Words.of(6, length, version, 0, 7, 1, handle, 0x0a0b0c0d, 0x0e000000);
        traffic.send(
                CLIENT,
                plain(1).and(Words.of(Messages.XID, 0, 2, 0x20000042, 1, GET))
                        .and(credential)
                        .and(0, 0, 100));
        traffic.send(SERVER, done(1));

        assertThat(file.lines()).anyMatch(line -> line.contains(reason));
    }

    @Test
    void anEmptyArrayTakesAWriteChunkAndNoReadChunk() {
        JavaModel rows = Pcap.meaning("""
                struct row { unsigned int id; };
                struct table { /*@ddp eligible; size 4000 */ row rows<>; /*@ddp eligible */ opaque data[10]; };
                program STORE { version STORE_V1 { table TURN(table) = 1; } = 1; } = 0x20000042;
                """);
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(
                CLIENT,
                header(1, MSG)
                        .and(1, 44)
                        .and(segment(7, 10, 0x100))
                        .and(0, 1, 1)
                        .and(segment(8, 4000, 0x200))
                        .and(1, 1)
                        .and(segment(9, 10, 0x300))
                        .and(0, 0)
                        .and(call(1).and(0)));
        traffic.read(SERVER, 7, 0x100, new byte[10]);
        traffic.write(SERVER, 9, 0x300, new byte[10]);
        traffic.send(
                SERVER,
                header(1, MSG)
                        .and(0, 1, 1)
                        .and(segment(8, 0, 0x200))
                        .and(1, 1)
                        .and(segment(9, 10, 0x300))
                        .and(0, 0)
                        .and(reply().and(0)));

        assertThat(file.explained(rows))
                .contains(
                        "    Read chunk at position 44 -> table.data, 10 bytes",
                        "    Write chunk 1 <- table.rows, 0 of 4,000 bytes",
                        "    Write chunk 2 <- table.data, 10 of 10 bytes",
                        "connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void whatFollowsTheLinksOfALongListComesFromTheLastElementToTheFirst() {
        int elements = 1000;
        JavaModel list = Pcap.meaning("""
                struct node { int number; node *next; /*@ddp eligible */ opaque data<50>; };
                struct nodes { node *first; };
                program LIST { version LIST_V1 { nodes ALL(void) = 1; } = 1; } = 0x20000042;
                """);
        Words results = Words.of(1);
        for (int number = 1; number <= elements; number++) {
            results.and(number, number < elements ? 1 : 0);
        }
        results.and(10).and(new byte[4 * (elements - 1)]);
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(
                CLIENT,
                header(1, MSG).and(0, 1, 1).and(segment(8, 50, 0x200)).and(0, 0).and(call(1)));
        traffic.write(SERVER, 8, 0x200, new byte[10]);
        traffic.send(
                SERVER,
                header(1, MSG).and(0, 1, 1).and(segment(8, 10, 0x200)).and(0, 0).and(reply().and(results)));

        assertThat(file.explained(list))
                .contains("    Write chunk 1 <- node.data, 10 of 50 bytes")
                .noneMatch(line -> line.contains("not decoded") || line.contains("nested"));
    }

    @Test
    void aRefusalNamesItsCall() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(SERVER, header(1, 4).and(2));

        assertThat(file.lines())
                .anyMatch(line -> line.endsWith("refusal of PUT, xid 0x00001234: ERR_CHUNK"))
                .contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void crcsAreChecked() {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.handshake();
        traffic.setUp(0x40, PRIVATE_DATA);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        byte[] reply = traffic.sendFpdu(SERVER, 0, done(1), true);
        reply[reply.length - 1]++;
        traffic.bytes(SERVER, reply);

        assertThat(file.lines())
                .filteredOn(line -> line.contains("CRC"))
                .singleElement()
                .asString()
                .endsWith("10.0.0.2:20049 -> 10.0.0.1:40000  sends an FPDU whose CRC is wrong");
    }

    @Test
    void aCrcOfZeroIsWrongIfCrcsAreUsed() {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.handshake();
        traffic.setUp(0x40, PRIVATE_DATA);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        byte[] reply = traffic.sendFpdu(SERVER, 0, done(1), true);
        Arrays.fill(reply, reply.length - 4, reply.length, (byte) 0);
        traffic.bytes(SERVER, reply);

        assertThat(file.lines()).anyMatch(line -> line.endsWith("sends an FPDU whose CRC is wrong"));
    }

    @Test
    void markersAreTakenOut() {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.handshake();
        traffic.setUp(0x80, PRIVATE_DATA);
        byte[] call = traffic.sendFpdu(
                CLIENT,
                0,
                plain(1).and(call(PUT).and(5, 700).and(new byte[700]).and(0, 0)).toBytes(),
                true);
        Words marked = new Words();
        for (int at = 0; at < call.length; at += 508) {
            marked.and(0x5555_0000).and(Arrays.copyOfRange(call, at, Math.min(at + 508, call.length)));
        }
        traffic.bytes(CLIENT, marked.toBytes());

        assertThat(file.lines())
                .anyMatch(line -> line.endsWith("call PUT, xid 0x00001234"))
                .contains("connections: 1, calls: 1, replies: 0, other messages: 0, violations: 0");
    }

    @Test
    void aCaptureMayBeginInTheMiddle() {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.bytes(SERVER, Arrays.copyOfRange(traffic.sendFpdu(SERVER, 0, done(1), true), 10, 60));
        traffic.send(SERVER, done(1));
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[12]);
        traffic.send(SERVER, gotByChunk(1, 12));

        assertThat(file.lines())
                .contains(
                        "    note: its call is not in the capture",
                        "    Write chunk 1 <- found.data, 12 of 12 bytes",
                        "connections: 1, calls: 1, replies: 2, other messages: 0, violations: 0");
    }

    @Test
    void aLongReplyMayBeTheFirstMessage() {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.send(SERVER, header(1, NOMSG).and(0, 0, 1, 1).and(segment(9, 24, 0x300)));

        assertThat(file.lines()).contains("connections: 1, calls: 0, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void theSideThatAsksForTheConnectionIsTheClient() {
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.bytes(SERVER, new byte[1]);
        traffic.setUp(0, PRIVATE_DATA);
        traffic.send(CLIENT, getByChunk(12));

        assertThat(file.lines()).contains("connections: 1, calls: 1, replies: 0, other messages: 0, violations: 0");
    }

    @Test
    void gapsAreReportedAndLaterMessagesExplained() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, getByChunk(12));
        traffic.hide(true);
        traffic.write(SERVER, 8, 0x200, new byte[12]);
        traffic.hide(false);
        traffic.send(SERVER, gotByChunk(1, 12));
        traffic.write(SERVER, 8, 0x200, new byte[12]);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(CLIENT, otherXid(get(1), 28));
        traffic.send(SERVER, done(1));

        assertThat(file.lines())
                .contains("connections: 1, calls: 3, replies: 2, other messages: 0, violations: 0")
                .filteredOn(line -> line.contains("gap:"))
                .singleElement()
                .asString()
                .endsWith("gap: 32 bytes are not in the capture");
    }

    @Test
    void memoryOfACallWhoseReplyIsMissingMayBeExposedAgain() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, get(1));
        traffic.send(SERVER, plain(4).and(reply().and(1)));
        traffic.send(CLIENT, getByChunk(12));
        traffic.hide(true);
        traffic.send(SERVER, gotByChunk(4, 0));
        traffic.hide(false);
        for (int i = 0; i < 2; i++) {
            byte[] put = header(1, MSG)
                    .and(1, DATA_POSITION)
                    .and(segment(8, 12, 0x200))
                    .and(0, 0, 0)
                    .and(call(PUT).and(5, 12, 0, 0))
                    .toBytes();
            traffic.send(CLIENT, otherXid(put, 52));
            traffic.read(SERVER, 8, 0x200, new byte[12]);
            traffic.send(SERVER, otherXid(done(4), 28));
        }
        traffic.read(SERVER, 8, 0x200, new byte[12]);

        assertThat(file.lines())
                .contains("connections: 1, calls: 4, replies: 3, other messages: 0, violations: 0")
                .filteredOn(line -> line.endsWith("12 read by 1 RDMA Read"))
                .hasSize(2);
    }

    @Test
    void aMessageThatIsFarTooLongIsNotCollected() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        byte[] message = Arrays.copyOf(get(1), 60_000);
        for (int i = 0; i < 20; i++) {
            traffic.bytes(CLIENT, traffic.sendFpdu(CLIENT, i * message.length, message, i == 19));
        }

        assertThat(file.lines())
                .anyMatch(line ->
                        line.endsWith("gap: a message is longer than 1 MiB, or not all of it is in the capture"))
                .contains("connections: 1, calls: 1, replies: 0, other messages: 0, violations: 0");
    }

    @Test
    void aChunkOfManySegmentsThatIsTooLongForAMessageIsNotDecoded() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(
                CLIENT,
                header(1, NOMSG)
                        .and(1, 0)
                        .and(segment(7, 40 << 20, 0))
                        .and(1, 0)
                        .and(segment(6, 40 << 20, 0))
                        .and(0, 0, 0));

        assertThat(file.lines()).contains("    note: the message is not decoded: 83,886,080 bytes are too many");
    }

    @Test
    void packetsMayBeCut() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, getByChunk(900));
        file.cutAt(200);
        traffic.write(SERVER, 8, 0x200, new byte[900]);
        traffic.send(SERVER, gotByChunk(1, 900));

        assertThat(file.lines())
                .anyMatch(line -> line.endsWith("bytes are not in the capture"))
                .contains("connections: 1, calls: 1, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void aCallWithoutReplyIsExplained() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, getByChunk(12));

        assertThat(file.lines())
                .anyMatch(line -> line.endsWith("call GET, xid 0x00001234"))
                .contains("    note: its reply is not in the capture");
    }

    @Test
    void otherTrafficIsIgnored() {
        IwarpTraffic other = new IwarpTraffic(file);
        other.handshake();
        other.bytes(CLIENT, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        file.packet(17, 1, 2, Words.of(0x11d712b7, 0x00100000, 1, 2).toBytes());
        file.packet(1, 1, 2, new byte[8]);

        assertThat(file.lines())
                .containsExactly("connections: 0, calls: 0, replies: 0, other messages: 0, violations: 0");
    }

    @Test
    void onlyViolationsAreShownOnRequest() throws IOException {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, get(1));
        traffic.send(SERVER, plain(0).and(reply().and(1)));
        List<String> said = new ArrayList<>();

        long violations = CaptureExplainer.explain(
                new ByteArrayInputStream(file.bytes()), protocol.protocol(), protocol.binding(), true, said::add);

        assertThat(violations).isEqualTo(1);
        assertThat(said).hasSize(4).first().asString().endsWith("reply to GET, xid 0x00001234: SUCCESS, NONE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not a capture at all", "\u001f\u008b"})
    void otherFilesAreRejected(String text) {
        assertThatExceptionOfType(MalformedCapture.class)
                .isThrownBy(() -> Pcap.linesOf(text.getBytes(StandardCharsets.UTF_8), protocol))
                .withMessageStartingWith("at byte 0 of the file: ");
    }

    @Test
    void aFileThatEndsTooEarlyIsExplainedUpToThere() throws IOException {
        byte[] whole = Files.readAllBytes(RecordedCapturesTest.RECORDED);
        List<String> said = new ArrayList<>();

        assertThatExceptionOfType(MalformedCapture.class)
                .isThrownBy(() -> CaptureExplainer.explain(
                        new ByteArrayInputStream(whole, 0, 20_001),
                        protocol.protocol(),
                        protocol.binding(),
                        false,
                        said::add))
                .withMessageMatching("at byte \\d+ of the file: the last block is cut short");
        assertThat(said).last().asString().contains("calls: ");
    }

    @Test
    void corruptedCapturesCauseNoDefect() throws IOException {
        Pcap.explainSpoilt(Files.readAllBytes(RecordedCapturesTest.RECORDED), Pcap.meaning("nfs3.x"), 150);
    }

    @Test
    void aCallWithAPendingXidDelaysNothing() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        traffic.send(CLIENT, getByChunk(12));
        traffic.send(CLIENT, get(1));
        traffic.send(SERVER, plain(1).and(reply().and(1)));
        traffic.readRequest(SERVER, 8, 0x200, 12);

        assertThat(file.lines())
                .contains(
                        "    note: another call has this xid, and no reply came before it",
                        "    note: another call with this xid has not been answered",
                        "connections: 1, calls: 2, replies: 1, other messages: 0, violations: 0")
                .anyMatch(line -> line.endsWith("reply to GET, xid 0x00001234: SUCCESS, NONE"));
    }

    @Test
    void sparselyWrittenMemoryCostsNothing() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        for (int i = 0; i < 400; i++) {
            traffic.send(
                    CLIENT,
                    new Words()
                            .and(i, 1, 1, MSG)
                            .and(0, 0, 1, 1)
                            .and(segment(i, 64 << 20, 0))
                            .and(i, 0, 2, 0x20000042, 1, GET, 0, 0, 0, 0, 0));
            traffic.write(SERVER, i, (64 << 20) - 1, new byte[1]);
        }

        assertThat(file.lines()).anyMatch(line -> line.startsWith("connections: 1, calls: 400, replies: 0"));
    }

    @Test
    void memoryThatIsNoLongerRememberedMayBeWritten() {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        Words call = header(1, MSG).and(0, 0, 1, 2_500);
        for (int i = 0; i < 2_500; i++) {
            call.and(segment(9, 1, i));
        }
        traffic.send(CLIENT, call.and(call(GET).and(0)));
        traffic.write(SERVER, 9, 0, new byte[1]);
        traffic.write(SERVER, 9, 2_499, new byte[1]);

        assertThat(file.lines()).noneMatch(line -> line.contains("no call has exposed this memory"));
    }

    @Test
    void aCallIsCheckedWithoutWaitingLongForItsReply() throws IOException {
        IwarpTraffic traffic = IwarpTraffic.connected(file);
        byte[] get = otherXid(get(1), 28);
        byte[] got = otherXid(plain(9).and(reply().and(1)).toBytes(), 28);
        traffic.send(CLIENT, get);
        traffic.send(SERVER, got);
        traffic.send(CLIENT, putByChunk(DATA_POSITION + 2, 10));
        for (int i = 0; i < 5_000; i++) {
            traffic.send(CLIENT, get);
            traffic.send(SERVER, got);
        }
        traffic.send(SERVER, done(9));
        List<String> said = new ArrayList<>();

        long violations = CaptureExplainer.explain(
                new ByteArrayInputStream(file.bytes()), protocol.protocol(), protocol.binding(), true, said::add);

        assertThat(violations).isEqualTo(1);
        assertThat(said)
                .contains("    note: no reply has come so far")
                .anyMatch(line -> line.startsWith("    VIOLATION: the position 50 of a Read chunk"))
                .first()
                .asString()
                .endsWith("call PUT, xid 0x00001234");
    }

    @Test
    void numbersDoNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            IwarpTraffic.connected(file);

            assertThat(file.lines())
                    .first()
                    .asString()
                    .endsWith("set-up: sends up to 1,024 bytes inline, receives up to 1,024");
        } finally {
            Locale.setDefault(before);
        }
    }
}
