// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.iwarp.framing.Wire;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages that work requests cause, as a raw peer reads them. */
@Timeout(60)
final class WorkQueueTest {
    private static final String FIRST_FPDU = "c140 00000000 0000000000000000";
    private static final RemoteSegment SOURCE = new RemoteSegment(0xabcdef01, 0x1122334455667788L, 4);

    /** The length of a response to a Read of 8 bytes: header, payload and CRC. */
    private static final int RESPONSE = 16 + 8 + 4;

    private final AtomicInteger mayWrite = new AtomicInteger(Integer.MAX_VALUE);

    @AutoClose
    private final RawPeerSession session = RawPeerSession.established(this::limited);

    WorkQueueTest() throws Exception {
        session.peer.sendFpdu(FIRST_FPDU);
    }

    @Test
    void readsBeyondTheLimitWaitAndWhatFollowsWithThem() throws Exception {
        session.queuePair().post(List.of(read(0), read(1)));
        for (int i = 2; i < 9; i++) {
            session.queuePair().post(List.of(read(i)));
        }
        session.queuePair().post(List.of(send(9)));
        byte[] request = session.peer.receiveFpdu();
        for (int i = 1; i < 8; i++) {
            session.peer.receiveFpdu();
        }
        assertThat(session.peer.staysSilent()).isTrue();

        session.peer.sendFpdu("c142" + sink(request, 0) + "01020304");
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(1);
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(3);
        assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.READ, 4));
        assertThat(session.memory.buffer().getInt(0)).isEqualTo(0x01020304);
    }

    @Test
    void aReadRequestNamesItsSource() throws Exception {
        session.queuePair().post(List.of(read(0)));
        ByteBuffer request = ByteBuffer.wrap(session.peer.receiveFpdu());
        assertThat(request.getLong(0)).isEqualTo(0x4141_0000_0000_0000L);
        assertThat(request.getInt(18 + 12)).isEqualTo(4);
        assertThat(request.getInt(18 + 16)).isEqualTo(SOURCE.stag());
        assertThat(request.getLong(18 + 20)).isEqualTo(SOURCE.offset());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "another STag,      c142, 1, 0, 01020304,   1100",
        "another offset,    c142, 0, 1, 01020304,   1101",
        "too long,          c142, 0, 0, 0102030405, 1101",
        "too short,         c142, 0, 0, 010203,     1101",
        "without its end,   8142, 0, 0, 01020304,   1101",
        "as a Write,        c140, 0, 0, 01020304,   1100",
    })
    void aReadResponseMatchesItsReadExactly(
            String what, String control, int stagShift, int offsetShift, String bytes, String terminate)
            throws Exception {
        session.queuePair().post(List.of(read(0)));
        byte[] request = session.peer.receiveFpdu();
        ByteBuffer sink = ByteBuffer.wrap(request);
        session.peer.sendFpdu(control
                + String.format("%08x", sink.getInt(18) + stagShift)
                + String.format("%016x", sink.getLong(22) + offsetShift)
                + bytes);
        assertThat(session.peer.receiveTerminate()).isEqualTo(terminate);
        assertThat(session.handler.end()).map(RdmaException::reason).contains(Reason.PEER_VIOLATION);
        assertThat(session.handler.next())
                .isEqualTo(new Completion(0, Operation.READ, Status.FLUSHED, 0, OptionalInt.empty()));
        assertThat(session.memory.buffer()).isEqualTo(ByteBuffer.allocate(64));
    }

    @Test
    void aReadResponseMayComeInPieces() throws Exception {
        session.queuePair().post(List.of(read(0)));
        byte[] request = session.peer.receiveFpdu();
        session.peer.sendFpdu("8142" + sink(request, 0) + "01");
        session.peer.sendFpdu("4143 00000000 00000000 00000001 00000000 0a");
        session.peer.sendFpdu("c142" + sink(request, 1) + "020304");
        assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 1));
        assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.READ, 4));
        assertThat(session.memory.buffer().getInt(0)).isEqualTo(0x01020304);
    }

    @Test
    void aReadThatThePeerRefusesEndsInARemoteError() throws Exception {
        session.queuePair().post(List.of(read(3), read(4)));
        session.peer.receiveFpdu();
        session.peer.sendFpdu("4147 00000000 00000002 00000001 00000000" + "0100 0000");
        assertThat(session.handler.end()).map(RdmaException::reason).contains(Reason.TERMINATED_BY_PEER);
        assertThat(session.handler.next())
                .isEqualTo(new Completion(3, Operation.READ, Status.REMOTE_ERROR, 0, OptionalInt.empty()));
        assertThat(session.handler.next().status()).isEqualTo(Status.FLUSHED);
    }

    @Test
    void aReadWhoseSinkAndSourceDifferIsALocalError() throws Exception {
        assertLocalError(session, new WorkRequest.Read(3, session.memory.segment(0, 5), SOURCE), Operation.READ);
    }

    @Test
    void aWriteLongerThanItsTargetIsALocalError() throws Exception {
        assertLocalError(
                session, new WorkRequest.Write(3, List.of(session.memory.segment(0, 5)), SOURCE), Operation.WRITE);
    }

    @Test
    void aReadFromAPeerThatAnswersNoneIsALocalError() throws Exception {
        try (RawPeerSession other = new RawPeerSession()) {
            other.peer.sendMpa("MPA ID Req Frame", "5002 0004 0000 0002");
            other.peer.receive(24);
            other.peer.sendFpdu(FIRST_FPDU);
            assertThat(other.queuePair().outboundReads()).isZero();
            assertLocalError(other, new WorkRequest.Read(3, other.memory.segment(12, 4), SOURCE), Operation.READ);
        }
    }

    @Test
    void workOnDeregisteredMemoryIsALocalError() throws Exception {
        session.memory.close();
        assertLocalError(session, send(3), Operation.SEND);
    }

    @Test
    void aDeregisteredReceiveIsALocalError() throws Exception {
        session.receive.close();
        session.peer.sendFpdu("4143 00000000 00000000 00000001 00000000 0a");
        assertThat(session.peer.receiveTerminate()).isEqualTo("0000");
        assertThat(session.handler.next().status()).isEqualTo(Status.LOCAL_ERROR);
        assertThat(session.handler.end()).map(RdmaException::reason).contains(Reason.DISCONNECTED);
    }

    @Test
    void aReadWhoseSinkIsDeregisteredBeforeTheResponseIsALocalError() throws Exception {
        session.queuePair().post(List.of(read(3)));
        byte[] request = session.peer.receiveFpdu();
        session.memory.close();
        session.peer.sendFpdu("c142" + sink(request, 0) + "01020304");
        assertThat(session.peer.receiveTerminate()).isEqualTo("0000");
        assertThat(session.handler.next())
                .isEqualTo(new Completion(3, Operation.READ, Status.LOCAL_ERROR, 0, OptionalInt.empty()));
        assertThat(session.handler.end()).map(RdmaException::reason).contains(Reason.DISCONNECTED);
    }

    @Test
    void solicitedEventsAndSegmentedSendsAreReceived() throws Exception {
        session.peer.sendFpdu("0145 00000000 00000000 00000001 00000000 0a0b0c");
        session.peer.sendFpdu("4145 00000000 00000000 00000001 00000003 0d");
        assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 4));
        assertThat(session.receive.buffer().getInt(0)).isEqualTo(0x0a0b0c0d);
    }

    @Test
    void closeFlushesAndLetsThePeerReadWhatWasSent() throws Exception {
        session.queuePair().post(List.of(send(1), read(2)));
        assertThat(session.handler.next()).isEqualTo(Completion.success(1, Operation.SEND, 4));
        session.queuePair().close();
        session.queuePair().close();
        assertThat(session.handler.end()).isEmpty();
        assertThat(session.handler.rest())
                .extracting(Completion::operation, Completion::status)
                .containsExactly(tuple(Operation.READ, Status.FLUSHED), tuple(Operation.RECEIVE, Status.FLUSHED));
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(3);
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(1);
        session.peer.receiveEnd();
    }

    /** A consumer that reposts each Receive when it completes loses no Send, however many arrive in one read. */
    @Test
    void eachSendFindsTheReceiveThatWasPostedForTheLast() throws Exception {
        session.handler.repost(new ReceiveRequest(0, session.receive.segment(0, 16)));
        ByteArrayOutputStream sends = new ByteArrayOutputStream();
        for (int i = 1; i <= 10; i++) {
            sends.write(RawPeer.fpdu(RawPeer.hex(String.format("4143 00000000 00000000 %08x 00000000 0a", i))));
        }
        session.peer.send(sends.toByteArray());
        for (int i = 0; i < 10; i++) {
            assertThat(session.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 1));
        }
        session.peer.finish();
        assertThat(session.handler.end()).isEmpty();
    }

    /** A peer may have as many Reads outstanding as negotiated, and one more as soon as it has received a response. */
    @Test
    void aReadIsAnsweredWhenTheLastByteOfItsResponseIsWritten() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_READ);
        mayWrite.set(RESPONSE);
        byte[] first = RawPeer.fpdu(RawPeer.hex(request(1, access)));
        byte[] second = RawPeer.fpdu(RawPeer.hex(request(2, access)));
        session.peer.send(ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array());
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(2);

        session.peer.sendFpdu(request(3, access));
        assertThat(session.peer.staysSilent()).isTrue();
        mayWrite.set(Integer.MAX_VALUE);
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(2);
        assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(2);
    }

    private static void assertLocalError(RawPeerSession end, WorkRequest request, Operation operation)
            throws Exception {
        end.queuePair().post(List.of(request));
        assertThat(end.peer.receiveTerminate()).isEqualTo("0000");
        assertThat(end.handler.next())
                .isEqualTo(new Completion(3, operation, Status.LOCAL_ERROR, 0, OptionalInt.empty()));
        assertThat(end.handler.end()).map(RdmaException::reason).contains(Reason.DISCONNECTED);
    }

    private WorkRequest read(int id) {
        return new WorkRequest.Read(id, session.memory.segment(4 * id, 4), SOURCE);
    }

    private WorkRequest send(int id) {
        return new WorkRequest.Send(id, List.of(session.memory.segment(0, 4)), OptionalInt.empty());
    }

    /** The sink in a Read Request, advanced by some bytes, in hex. */
    private static String sink(byte[] request, int bytes) {
        ByteBuffer sink = ByteBuffer.wrap(request);
        return String.format("%08x%016x", sink.getInt(18), sink.getLong(22) + bytes);
    }

    private static int opcode(byte[] ulpdu) {
        return ulpdu[1] & 0xf;
    }

    private static String request(int sequence, RemoteAccess access) {
        return String.format(
                "4141 00000000 00000001 %08x 00000000 00000001 0000000000000000 00000008 %s %s",
                sequence, RawPeerSession.stag(access), RawPeerSession.offset(access, 0));
    }

    /** A socket that takes only a limited number of bytes. */
    private Wire limited(Wire wire) {
        return new Wire() {
            @Override
            public long read(ByteBuffer[] targets, int count) throws IOException {
                return wire.read(targets, count);
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
                long taken = 0;
                for (int i = offset; i < offset + count && mayWrite.get() > 0; i++) {
                    ByteBuffer source = sources[i];
                    int end = source.limit();
                    source.limit(source.position() + Math.min(source.remaining(), mayWrite.get()));
                    long now = wire.write(sources, i, 1);
                    source.limit(end);
                    mayWrite.addAndGet((int) -now);
                    taken += now;
                }
                return taken;
            }
        };
    }
}
