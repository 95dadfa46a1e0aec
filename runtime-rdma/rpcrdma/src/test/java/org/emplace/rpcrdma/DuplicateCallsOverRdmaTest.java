// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.emplace.rpcrdma.ServerOfRawPeer.XID;

import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.RpcServer;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a server answers duplicate calls over RDMA or another transport. */
@Timeout(60)
final class DuplicateCallsOverRdmaTest {
    /** Returns the given number of eligible bytes, and counts its calls. */
    private static final int MAKE = 1;

    /** The same, but replies when the test allows it. */
    private static final int MAKE_LATER = 2;

    private static final int SIZE = 1000;

    /** The credits that a peer requests: with twice as many calls in flight it loses its connection. */
    private static final int CREDITS = 2;

    private final AtomicInteger runs = new AtomicInteger();
    private final Queue<CompletableFuture<Void>> later = new ConcurrentLinkedQueue<>();

    /** With one thread, the calls of a connection are handled in order. */
    @AutoClose
    private final RpcServer server = RpcServer.builder()
            .service(service())
            .threads(1)
            .listen(URI.create("rdma://127.0.0.1:0"))
            .listen(URI.create("tcp://127.0.0.1:0"))
            .start();

    DuplicateCallsOverRdmaTest() throws RpcException {}

    @Test
    void aDuplicateOverAnotherTransportIsAnsweredWithTheSameMessage() throws Exception {
        int[] reply;
        try (RawPeer lost = rdmaPeer()) {
            lost.send(inlineCall(XID, MAKE, 12));
            reply = lost.receive();
        }
        assertThat(callOverTcp(call(XID, MAKE, 12))).isEqualTo(Arrays.copyOfRange(reply, 7, reply.length));
        try (RawPeer next = rdmaPeer()) {
            next.send(inlineCall(XID, MAKE, 12));
            assertThat(next.receive()).isEqualTo(reply);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void aDuplicatesResultIsWrittenIntoTheDuplicatesChunk() throws Exception {
        try (RawPeer lost = rdmaPeer()) {
            lost.send(chunkCall(lost, ByteBuffer.allocateDirect(SIZE)));
            lost.receive();
        }
        ByteBuffer data = ByteBuffer.allocateDirect(SIZE);
        try (RawPeer next = rdmaPeer()) {
            next.send(chunkCall(next, data));
            assertThat(next.receive())
                    .endsWith(Words.of(new Words().reply(XID).and(SIZE).bytes()));
        }
        assertThat(data).isEqualTo(Blobs.pattern(SIZE));
        assertThat(callOverTcp(call(XID, MAKE, SIZE))).hasSize(7 + SIZE / 4);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aReplyWhoseConnectionHasEndedAnswersTheWaitingDuplicate() throws Exception {
        try (RawPeer lost = rdmaPeer()) {
            lost.send(inlineCall(XID, MAKE_LATER, 12));
            await().until(() -> later.size() == 1);
        }
        try (RawPeer next = rdmaPeer()) {
            next.send(inlineCall(XID, MAKE_LATER, 12));
            next.send(inlineCall(XID + 1, MAKE, 4));
            assertThat(next.receive()).startsWith(XID + 1);

            later.remove().complete(null);
            assertThat(next.receive()).startsWith(XID).endsWith(Words.of(Blobs.pattern(12)));
        }
        assertThat(runs).hasValue(2);
    }

    @Test
    void aDuplicateOverTheSameConnectionIsDroppedAndItsCreditReleased() throws Exception {
        try (RawPeer peer = rdmaPeer()) {
            peer.send(inlineCall(XID, MAKE, 4));
            assertThat(peer.receive()).startsWith(XID, 1, CREDITS);

            peer.send(inlineCall(XID, MAKE_LATER, 12));
            await().until(() -> later.size() == 1);
            for (int i = 1; i <= 30; i++) {
                peer.send(inlineCall(XID, MAKE_LATER, 12));
                peer.send(inlineCall(XID + i, MAKE, 4));
                assertThat(peer.receive()).startsWith(XID + i);
            }
            later.remove().complete(null);
            assertThat(peer.receive()).startsWith(XID);
        }
    }

    private RpcService service() {
        return RpcService.builder(Blobs.PROGRAM)
                .handle(procedure(MAKE), (size, call) -> {
                    runs.incrementAndGet();
                    return Payload.of(call.buffer(size).put(0, Blobs.pattern(size), 0, size));
                })
                .handleAsync(procedure(MAKE_LATER), (size, call) -> {
                    CompletableFuture<Void> due = new CompletableFuture<>();
                    later.add(due);
                    return due.thenApply(now -> {
                        runs.incrementAndGet();
                        return Payload.of(Blobs.pattern(size));
                    });
                })
                .build();
    }

    private static Procedure<Integer, Payload> procedure(int number) {
        return Procedure.of(
                Blobs.PROGRAM,
                number,
                "MAKE" + number,
                new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt),
                new XdrCodec<>(XdrEncoder::writePayload, in -> in.readPayload(XdrDecoder.UNBOUNDED)),
                ProcedureBinding.<Integer, Payload>nonIdempotent(size -> 4)
                        .withWriteChunks(1, ResultOrder.payload(0, "data", (size, i) -> size, data -> data)));
    }

    private RawPeer rdmaPeer() throws Exception {
        int port = server.addresses().get(0).getPort();
        return RawPeer.connectedTo(URI.create("rdma://127.0.0.1:" + port), RawPeer.privateData(false));
    }

    private static Words call(int xid, int procedure, int size) {
        return new Words().call(xid, procedure).and(size);
    }

    private static Words inlineCall(int xid, int procedure, int size) {
        return Words.withoutChunks(xid, CREDITS).call(xid, procedure).and(size);
    }

    /** A call of MAKE with a Write chunk. */
    private static Words chunkCall(RawPeer peer, ByteBuffer data) throws Exception {
        RemoteSegment chunk = peer.expose(data, Right.REMOTE_WRITE);
        return Words.header(XID, CREDITS, 0)
                .and(0)
                .chunk(chunk)
                .and(0, 0)
                .call(XID, MAKE)
                .and(SIZE);
    }

    private int[] callOverTcp(Words call) throws Exception {
        ByteBuffer message = call.bytes();
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), server.addresses().get(1).getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(ByteBuffer.allocate(4 + message.capacity())
                    .putInt(0x8000_0000 | message.capacity())
                    .put(message)
                    .array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            return Words.of(ByteBuffer.wrap(in.readNBytes(in.readInt() & 0x7fff_ffff)));
        }
    }
}
