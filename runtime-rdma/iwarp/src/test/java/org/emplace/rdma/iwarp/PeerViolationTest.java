// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rdma.iwarp.RawPeerSession.offset;
import static org.emplace.rdma.iwarp.RawPeerSession.stag;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.OptionalInt;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer that violates the protocol gets the Terminate message that the RFCs require, and outstanding work is flushed. */
final class PeerViolationTest {
    @AutoClose
    private final RawPeerSession session = RawPeerSession.established();

    PeerViolationTest() throws Exception {}

    /** ULPDUs: control field, InvSTag or STag, QN, MSN, MO, payload. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "DDP version 2,          4243 00000000 00000000 00000001 00000000,          1206, DDP version 2",
        "DDP version 2 tagged,   c240 00000001 0000000000000000,                    1104, DDP version 2",
        "RDMAP version 0,        4103 00000000 00000000 00000001 00000000,          0205, RDMAP version 0",
        "opcode 9,               4149 00000000 00000000 00000001 00000000,          0206, opcode 9",
        "a tagged Send,          c143 00000001 0000000000000000,                    0206, opcode 3",
        "an untagged Write,      4140 00000000 00000000 00000001 00000000,          0206, opcode 0",
        "a Send on queue 1,      4143 00000000 00000001 00000001 00000000,          1201, queue 1",
        "queue 2147483648,       4143 00000000 80000000 00000001 00000000,          1201, queue 2147483648",
        "MSN 2 first,            4143 00000000 00000000 00000002 00000000,          1203, 'number 2, not 1'",
        "MO 4 first,             4143 00000000 00000000 00000001 00000004 01020304, 1204, 'offset 4, not 0'",
        "17 bytes for 16,        4143 00000000 00000000 00000001 00000000 0102030405060708090a0b0c0d0e0f1011, 1205, Receive of 16",
        "an unknown STag,        c140 12345678 0000000000000000 01,                 1100, not exposed",
        "a response to nothing,  c142 12345678 0000000000000000 01,                 0206, without a Read",
        "a short Read Request,   4141 00000000 00000001 00000001 00000000 00,       0207, READ_REQUEST of 1",
        "a split Read Request,   0141 00000000 00000001 00000001 00000000 00000000000000000000000000000000000000000000000000000000, 0207, and more",
        "Read of unknown STag,   4141 00000000 00000001 00000001 00000000 00000001 0000000000000000 00000001 12345678 0000000000000000, 0100, not exposed",
        "invalidating unknown,   4144 12345678 00000000 00000001 00000000,          0100, invalidates STag 12345678",
    })
    void isToldBy(String what, String ulpdu, String terminate, String message) throws Exception {
        session.peer.sendFpdu(ulpdu);
        assertThat(session.peer.receiveTerminate()).isEqualTo(terminate);
        session.peer.receiveEnd();
        assertViolation(message);
        assertFlushed(session.handler.next(), Operation.RECEIVE);
    }

    @Test
    void anFpduShorterThanItsHeader() throws Exception {
        session.peer.send(RawPeer.hex("000a 4143 00000000 00000000 0000 00000000"));
        assertThat(session.peer.receiveTerminate()).isEqualTo("2003");
        assertViolation("shorter than its DDP header");
    }

    @Test
    void aWrongCrc() throws Exception {
        byte[] fpdu = RawPeer.fpdu(RawPeer.hex("4143 00000000 00000000 00000001 00000000 01020304"));
        fpdu[fpdu.length - 1] ^= 1;
        session.peer.send(fpdu);
        assertThat(session.peer.receiveTerminate()).isEqualTo("2002");
        assertViolation("CRC");
        assertFlushed(session.handler.next(), Operation.RECEIVE);
    }

    @Test
    void aSendWithoutAReceive() throws Exception {
        session.peer.sendFpdu("4143 00000000 00000000 00000001 00000000 0a");
        assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 1));
        assertTerminates("4143 00000000 00000000 00000002 00000000 0b", "1202", "Send without a Receive");
        assertThat(session.receive.buffer().get(0)).isEqualTo((byte) 0xa);
    }

    @Test
    void aMessageThatChangesItsKind() throws Exception {
        session.peer.sendFpdu("0143 00000000 00000000 00000001 00000000 0a");
        assertTerminates("4145 00000000 00000000 00000001 00000001 0b", "0206", "SEND goes on as SEND_SOLICITED");
    }

    @ParameterizedTest
    @CsvSource({"0, 0102030405060708090a", "8, 01", "-1, 0102", "9223372036854775807, 01"})
    void aWriteBeyondItsMemory(long at, String bytes) throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        assertTerminates("c140" + stag(access) + offset(access, at) + bytes, "1101", "leaves its memory");
        assertThat(session.memory.buffer()).isEqualTo(ByteBuffer.allocate(64));
    }

    @Test
    void anOffsetThatWraps() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        assertTerminates("c140" + stag(access) + "ffffffffffffffff 0102", "1103", "wraps");
    }

    @Test
    void aWriteWhereReadsAreAllowed() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_READ);
        assertTerminates("c140" + stag(access) + offset(access, 0) + "01", "0102", "exposed for Reads");
    }

    @Test
    void aReadWhereWritesAreAllowed() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        assertTerminates(readRequest(1, 8, access, 0), "0102", "exposed for Writes");
    }

    @Test
    void aReadOfFourGigabytes() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_READ);
        assertTerminates(readRequest(1, -1, access, 0), "0101", "4294967295 bytes");
    }

    @Test
    void aTerminateForAReadCarriesTheHeadersAtFault() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_READ);
        String request = readRequest(1, 9, access, 0);
        session.peer.sendFpdu(request);
        String terminate = HexFormat.of().formatHex(session.peer.receiveFpdu());
        assertThat(terminate)
                .isEqualTo(
                        ("4147 00000000 00000002 00000001 00000000" + "0101 e000" + "002e" + request).replace(" ", ""));
    }

    @Test
    void moreReadsThanAgreedOn() throws Exception {
        RemoteAccess access = session.queuePair()
                .expose(
                        session.provider
                                .register(ByteBuffer.allocateDirect(16 << 20))
                                .segment(0, 16 << 20),
                        Right.REMOTE_READ);
        for (int sequence = 1; sequence <= 3; sequence++) {
            session.peer.sendFpdu(readRequest(sequence, 16 << 20, access, 0));
        }
        assertViolation("more RDMA Reads outstanding than the 2");
    }

    @Test
    void anEndInsideAnFpdu() throws Exception {
        session.peer.send(RawPeer.hex("0016 4143 00000000 00000000 00000001 00000000 0102"));
        session.peer.finish();
        assertViolation("inside an FPDU");
        assertFlushed(session.handler.next(), Operation.RECEIVE);
    }

    @Test
    void aResetIsALostConnection() throws Exception {
        session.peer.reset();
        assertThat(session.handler.end()).map(RdmaException::reason).contains(Reason.DISCONNECTED);
        assertFlushed(session.handler.next(), Operation.RECEIVE);
    }

    @Test
    void anEndBetweenFpdusIsOrderly() throws Exception {
        session.peer.sendFpdu("4143 00000000 00000000 00000001 00000000 0a");
        session.peer.finish();
        assertThat(session.handler.end()).isEmpty();
        assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "0100, RDMAP remote protection error: invalid STag",
        "1205, DDP untagged buffer error: message too long for its buffer",
        "2105, DDP untagged buffer error: message too long for its buffer",
        "2002, MPA error: CRC check failed",
        "5511, 'layer 5, error type 5, code 0x11'"
    })
    void aTerminateOfThePeerIsReportedInWords(String code, String words) throws Exception {
        session.peer.sendFpdu("4147 00000000 00000002 00000001 00000000" + code + "0000");
        assertThat(session.handler.end()).hasValueSatisfying(cause -> {
            assertThat(cause.reason()).isEqualTo(Reason.TERMINATED_BY_PEER);
            assertThat(cause).hasMessageContaining(words);
        });
        session.peer.receiveEnd();
    }

    /** The payload of a Read Request from an index of the source on, with STag 1 and offset 0 as sink; {@code sequence} is the MSN. */
    private static String readRequest(int sequence, int length, RemoteAccess source, long at) {
        return "4141 00000000 00000001" + String.format("%08x", sequence) + "00000000" + "00000001 0000000000000000"
                + String.format("%08x", length) + stag(source) + offset(source, at);
    }

    /** Asserts that the side under test answers an FPDU with a Terminate and that its connection ends. */
    private void assertTerminates(String ulpdu, String terminate, String message) throws Exception {
        session.peer.sendFpdu(ulpdu);
        assertThat(session.peer.receiveTerminate()).isEqualTo(terminate);
        assertViolation(message);
    }

    private void assertViolation(String message) throws Exception {
        assertThat(session.handler.end()).hasValueSatisfying(cause -> {
            assertThat(cause.reason()).isEqualTo(Reason.PEER_VIOLATION);
            assertThat(cause).hasMessageContaining(message).hasMessageContaining("iwarp /127.0.0.1:");
        });
    }

    private static void assertFlushed(Completion completion, Operation operation) {
        assertThat(completion).isEqualTo(new Completion(0, operation, Status.FLUSHED, 0, OptionalInt.empty()));
    }
}
