// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.compiler.capture.IwarpTraffic.CLIENT;
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

import org.junit.jupiter.api.Test;

/** Each rule that a capture can show to be broken, broken once. */
class ViolationsTest {

    private final Pcap file = new Pcap();
    private final IwarpTraffic traffic = IwarpTraffic.connected(file);

    @Test
    void correctCallsAndRepliesBreakNoRule() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.read(SERVER, 7, 0x100, new byte[10]);
        traffic.send(SERVER, done(4));
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[10]);
        traffic.send(SERVER, gotByChunk(4, 10));

        assertThat(file.lines())
                .contains(
                        "    Read chunk at position 48 -> stored.data, 10 bytes",
                        "        handle 0x00000007, offset 0x100, 10 bytes; 10 read by 1 RDMA Read",
                        "    Write chunk 1 <- found.data, 10 of 12 bytes",
                        "        handle 0x00000008, 10 of 12 bytes; 10 written by 1 RDMA Write",
                        "connections: 1, calls: 2, replies: 2, other messages: 0, violations: 0")
                .anyMatch(line -> line.endsWith("10.0.0.1:40000 -> 10.0.0.2:20049  call PUT, xid 0x00001234"))
                .anyMatch(line -> line.endsWith("reply to GET, xid 0x00001234: SUCCESS, OK"));
    }

    @Test
    void noCreditsAreGranted() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(SERVER, done(0));

        onlyViolation("the reply grants no credits (rfc5666bis-01 4.3, RFC 8166 3.3.1)");
    }

    @Test
    void noCreditsAreRequested() {
        traffic.send(CLIENT, get(0));

        onlyViolation("the call asks for no credits (rfc5666bis-01 4.3, RFC 8166 3.3.1)");
    }

    @Test
    void twoCallsBeforeTheFirstReply() {
        traffic.send(CLIENT, get(1));
        traffic.send(CLIENT, otherXid(get(1), 28));

        onlyViolation("calls in flight: 2, before the first reply (rfc5666bis-01 4.3.1, RFC 8166 3.3.3)");
    }

    @Test
    void moreCallsThanGranted() {
        byte[] get = get(9);
        traffic.send(CLIENT, get);
        traffic.send(SERVER, plain(1).and(reply().and(1)));
        traffic.send(CLIENT, get);
        traffic.send(CLIENT, otherXid(get, 28));

        onlyViolation("calls in flight: 2; credits granted: 1 (rfc5666bis-01 4.3, RFC 8166 3.3.1)");
    }

    @Test
    void aCallWhoseReplyIsNotInTheCaptureIsNotInFlight() {
        byte[] get = get(9);
        traffic.send(CLIENT, get);
        traffic.send(SERVER, plain(1).and(reply().and(1)));
        traffic.send(CLIENT, get);
        traffic.hide(true);
        traffic.send(SERVER, plain(1).and(reply().and(1)));
        traffic.hide(false);
        traffic.send(CLIENT, otherXid(get, 28));

        assertThat(file.lines()).contains("connections: 1, calls: 3, replies: 1, other messages: 0, violations: 0");
    }

    @Test
    void aMessageIsTooLongForTheInlineThreshold() {
        traffic.send(
                CLIENT, plain(1).and(call(PUT).and(5, 1000).and(new byte[1000]).and(0, 0)));

        onlyViolation("the message has 1,084 bytes, but at most 1,024 may be sent inline"
                + " (rfc5666bis-01 5.1.4, RFC 8166 4.2.4)");
    }

    @Test
    void aPositionIsNotAMultipleOfFour() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION + 2, 10));

        onlyViolation(
                "the position 50 of a Read chunk is not a multiple of four (rfc5666bis-01 4.4.4.1, RFC 8166 3.4.5)");
    }

    @Test
    void aPositionIsNotThatOfAnItem() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION - 8, 12));

        onlyViolation("a Read chunk has the position 40, in stored.id, where no eligible item's content begins"
                + " (rfc5666bis-01 4.4.4, RFC 8166 3.4.5)");
    }

    @Test
    void aPositionIsBehindTheArguments() {
        traffic.send(
                CLIENT,
                header(1, MSG)
                        .and(1, 96)
                        .and(segment(7, 4, 0x100))
                        .and(0, 0, 0)
                        .and(call(PUT).and(5, 0, 0, 0)));

        onlyViolation(
                "a Read chunk has the position 96; the arguments end at 56 (rfc5666bis-01 4.4.4, RFC 8166 3.4.5)");
    }

    @Test
    void aChunkCarriesAnIneligibleItem() {
        traffic.send(
                CLIENT,
                header(1, MSG)
                        .and(1, 56)
                        .and(segment(7, 4, 0x100))
                        .and(0, 0, 0)
                        .and(call(PUT).and(5, 0, 0, 4)));

        onlyViolation("a Read chunk carries stored.label, which the binding does not make eligible here"
                + " (rfc5666bis-01 4.4.1, RFC 8166 3.4.2)");
    }

    @Test
    void theCountOfAnArgumentDiffersFromItsChunk() {
        byte[] put = putByChunk(DATA_POSITION, 10);
        put[put.length - 9] = 5;
        traffic.send(CLIENT, put);

        onlyViolation(
                "stored.data has 5 bytes by its count, but 10 in its Read chunk (rfc5666bis-01 4.4.3.1, RFC 8166 3.4.4)");
    }

    @Test
    void theCountOfAResultDiffersFromItsChunk() {
        byte[] got = gotByChunk(1, 4);
        got[got.length - 5] = 8;
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[4]);
        traffic.send(SERVER, got);

        onlyViolation(
                "found.data has 8 bytes by its count, but 4 in Write chunk 1 (rfc5666bis-01 4.4.3.1, RFC 8166 3.4.4)");
    }

    @Test
    void aReplyHasAReadList() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(
                SERVER,
                header(1, MSG).and(1, 4).and(segment(1, 4, 0)).and(0, 0, 0).and(reply()));

        onlyViolation("a reply has a Read list (rfc5666bis-01 4.1, RFC 8166 3.1)");
    }

    @Test
    void aReplyReturnsAnotherNumberOfChunks() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.send(SERVER, plain(1).and(reply().and(1)));

        onlyViolation("Write chunks: 1 in the call, 0 in the reply (rfc5666bis-01 4.4.5, RFC 8166 3.4.6)");
    }

    @Test
    void aReplyReturnsAnotherNumberOfSegments() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.send(SERVER, header(1, MSG).and(0, 1, 0, 0, 0).and(reply().and(1)));

        onlyViolation("segments of Write chunk 1: 1 in the call, 0 in the reply (rfc5666bis-01 4.4.5, RFC 8166 3.4.6)");
    }

    @Test
    void aReplyReportsMoreThanThereIsRoomFor() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[12]);
        traffic.send(SERVER, gotByChunk(1, 16));

        onlyViolation("segment 1 of Write chunk 1 has room for 12 bytes, but the reply says 16"
                + " (rfc5666bis-01 4.4.5, RFC 8166 3.4.6)");
    }

    @Test
    void lessIsWrittenThanTheReplyReports() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[8]);
        traffic.send(SERVER, gotByChunk(1, 12));

        onlyViolation("segment 1 of Write chunk 1 comes back with 12 bytes, but 8 were written before the reply"
                + " (rfc5666bis-01 4.4.5, RFC 8166 3.4.6)");
    }

    @Test
    void aChunkWithoutResultComesBackWithALength() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[4]);
        traffic.send(
                SERVER,
                header(1, MSG).and(0, 1, 1).and(segment(8, 4, 0x200)).and(0, 0).and(reply().and(1)));

        onlyViolation(
                "Write chunk 1 comes back with a length, but has no result (rfc5666bis-01 4.4.5.1, RFC 8166 3.4.6)");
    }

    @Test
    void aResultIsInlineThoughThereIsAWriteChunk() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.send(
                SERVER,
                header(1, MSG).and(0, 1, 1).and(segment(8, 0, 0x200)).and(0, 0).and(reply().and(0, 4, -1, 99)));

        onlyViolation("found.data is inline, but Write chunk 1 has room for it (rfc5666bis-01 5.2.2, RFC 8166 4.3.2)");
    }

    @Test
    void aWriteGoesBeyondItsSegment() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 8, 0x200, new byte[16]);
        traffic.send(SERVER, gotByChunk(1, 12));

        onlyViolation("it goes 4 bytes beyond its segment, which the call with xid 0x00001234 exposed"
                + " (rfc5666bis-01 10.1, RFC 8166 8.1)");
        assertThat(file.lines())
                .anyMatch(line -> line.endsWith("  an RDMA Write of 16 bytes at handle 0x00000008, offset 0x200"));
    }

    @Test
    void aReadGoesToMemoryThatIsForWriting() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.read(SERVER, 8, 0x200, new byte[12]);

        onlyViolation("it goes to a segment of a Write or Reply chunk, which the call with xid 0x00001234 exposed"
                + " (rfc5666bis-01 10.1, RFC 8166 8.1)");
    }

    @Test
    void aWriteGoesToMemoryThatWasNotExposed() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.write(SERVER, 9, 0x200, new byte[12]);

        onlyViolation("no call has exposed this memory (rfc5666bis-01 10.1, RFC 8166 8.1)");
    }

    @Test
    void memoryIsWrittenAfterTheReply() {
        traffic.send(CLIENT, getByChunk(12));
        traffic.send(SERVER, gotByChunk(1, 0));
        traffic.write(SERVER, 8, 0x200, new byte[12]);

        onlyViolation("the memory belongs to the answered call with xid 0x00001234 (rfc5666bis-01 4.5, RFC 8166 2.3)");
    }

    @Test
    void memoryIsReadAfterTheReply() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(SERVER, done(1));
        traffic.readRequest(SERVER, 7, 0x100, 10);

        onlyViolation(
                "the memory belongs to the answered call with xid 0x00001234 (rfc5666bis-01 4.4.4.2, RFC 8166 3.4.5)");
    }

    @Test
    void theXidsOfHeaderAndMessageDiffer() {
        traffic.send(CLIENT, otherXid(get(1), 0));

        onlyViolation(
                "the header's xid is 0x00001235, that of the RPC call 0x00001234 (rfc5666bis-01 5.1.1, RFC 8166 4.2.1)");
    }

    @Test
    void aReplyAnswersNoCall() {
        traffic.send(CLIENT, putByChunk(DATA_POSITION, 10));
        traffic.send(SERVER, done(1));
        traffic.send(SERVER, done(1));

        onlyViolation("no pending call has this xid (rfc5666bis-01 5.1.1, RFC 8166 4.2.1)");
    }

    @Test
    void aMessageInlineHasAPositionZeroChunkToo() {
        traffic.send(
                CLIENT,
                header(1, MSG)
                        .and(1, 0)
                        .and(segment(7, 44, 0x100))
                        .and(0, 0, 0)
                        .and(call(GET).and(0)));

        onlyViolation("RDMA_MSG has both an inline message and a Position Zero Read chunk"
                + " (rfc5666bis-01 5.3.3, RFC 8166 3.5.3)");
    }

    @Test
    void aCallHasNoMessage() {
        traffic.send(CLIENT, header(1, NOMSG).and(0, 0, 0));

        onlyViolation(
                "a call without an inline message has no Position Zero Read chunk (rfc5666bis-01 5.3.3, RFC 8166 3.5.3)");
    }

    @Test
    void aReplyIsInlineAndInTheReplyChunk() {
        byte[] chunk = segment(9, 64, 0x300);
        traffic.send(
                CLIENT, header(1, MSG).and(0, 0, 1, 1).and(chunk).and(call(GET).and(0)));
        traffic.write(SERVER, 9, 0x300, new byte[64]);
        traffic.send(SERVER, header(1, MSG).and(0, 0, 1, 1).and(chunk).and(reply().and(1)));

        onlyViolation("RDMA_MSG has both an inline message and 64 bytes in the Reply chunk"
                + " (rfc5666bis-01 5.3.4, RFC 8166 3.5.3)");
    }

    @Test
    void theHeaderIsMalformed() {
        traffic.send(CLIENT, header(1, MSG).and(2, 0, 0));

        onlyViolation("at byte 16 a flag is 2 (rfc5666bis-01 5, RFC 8166 4.1)");
    }

    @Test
    void theVersionIsAnother() {
        traffic.send(CLIENT, Words.of(7, 3, 1, 0, 0, 0, 0));

        onlyViolation("the version is 3 (rfc5666bis-01 5.1.2, RFC 8166 4.2.2)");
    }

    @Test
    void theMessageTypeIsReserved() {
        traffic.send(CLIENT, header(1, 3));

        onlyViolation("RDMA_DONE is no longer sent (rfc5666bis-01 5.7.2, RFC 8166 4.6.2)");
    }

    @Test
    void paddedMessagesAreNoLongerSent() {
        traffic.send(CLIENT, header(1, 2).and(8, 8, 0, 0, 0).and(call(GET).and(0)));

        onlyViolation("RDMA_MSGP is no longer sent (rfc5666bis-01 5.7.1, RFC 8166 4.6.1)");
    }

    @Test
    void argumentsDoNotMatchTheirDefinition() {
        traffic.send(CLIENT, plain(1).and(call(PUT).and(5, 400)));

        onlyViolation("the arguments are malformed, in stored.data: it ends 400 bytes too early, at position 48"
                + " (rfc5666bis-01 5.5, RFC 8166 4.5)");
    }

    @Test
    void aCallBackHasChunks() {
        traffic.send(SERVER, getByChunk(12));

        onlyViolation("a message in the backward direction has chunks (rfc5666bis-01 8.3.4, RFC 8167 5)");
    }

    private void onlyViolation(String expected) {
        assertThat(file.lines())
                .filteredOn(line -> line.contains("VIOLATION"))
                .containsExactly("    VIOLATION: " + expected);
    }
}
