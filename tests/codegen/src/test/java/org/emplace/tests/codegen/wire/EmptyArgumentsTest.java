// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.pattern;

import java.net.URI;
import java.nio.ByteBuffer;
import org.emplace.RpcServer;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcService;
import org.emplace.rpcrdma.RawPeer;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.absence.Absence1;
import org.emplace.tests.codegen.absence.Parcel;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls with empty items, written by hand. An empty item has no bytes, so the next item has the same position (RFC 8166
 * section 3.4.5), and the Read chunk at that position is the next item's.
 */
@SuppressWarnings("NullAway.Init") // set before each test
final class EmptyArgumentsTest {
    private static final int XID = 0x5eed0002;
    private static final int CREDITS = 1;
    private static final int PUT = 10;
    private static final int BODY = 1501;

    /** The RPC header of a call without credential. */
    private static final int RPC_HEADER = 40;

    private RpcServer server;
    private RawPeer client;

    @BeforeEach
    void connect() throws Exception {
        RpcService service = RpcService.builder(Absence1.PROGRAM)
                .answer(Absence1.PUT, (parcel, call) -> checked(parcel))
                .build();
        server = RpcServer.builder()
                .service(service)
                .options(ConnectionOptions.DEFAULT.withCredits(CREDITS))
                .listen(URI.create("rdma://" + RawPeer.HOST + ":0"))
                .start();
        client = RawPeer.connectedTo(
                URI.create("rdma://" + RawPeer.HOST + ":"
                        + server.addresses().get(0).getPort()),
                new byte[0]);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** Requires that each item is the pattern of its length. Returns the bytes of all. */
    private static long checked(Parcel parcel) throws Exception {
        long bytes = 0;
        for (Payload each : new Payload[] {parcel.head(), parcel.body(), parcel.foot()}) {
            assertThat(each.buffer()).isEqualTo(pattern((int) each.length()));
            bytes += each.length();
        }
        return bytes;
    }

    private RemoteSegment source(ByteBuffer bytes) throws Exception {
        return client.expose(bytes, Right.REMOTE_READ);
    }

    private static int padded(int length) {
        return (length + 3) / 4 * 4;
    }

    private void assertAnswer(int bytes) throws Exception {
        assertThat(client.receive())
                .containsExactly(Words.of(
                        Words.withoutChunks(XID, CREDITS).reply(XID).and(bytes).bytes()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 900})
    void theChunkAtThePositionOfAnEmptyItemIsTheNextItems(int foot) throws Exception {
        client.send(Words.header(XID, CREDITS, 0)
                .read(RPC_HEADER + 4, source(pattern(BODY)))
                .and(0, 0, 0)
                .call(XID, 0x2000007a, 1, PUT)
                .and(0) // the head is empty
                .counted(pattern(foot)));

        assertAnswer(BODY + foot);
    }

    @ParameterizedTest
    @CsvSource({"1, 2000", "2000, 0", "2000, 1501"})
    void chunksOfItemsThatAreNotEmptyAreAtTheirPositions(int head, int foot) throws Exception {
        int body = RPC_HEADER + 4 + padded(head);
        Words call = Words.header(XID, CREDITS, 0)
                .read(RPC_HEADER + 4, source(pattern(head)))
                .read(body, source(pattern(BODY)));
        if (foot > 0) {
            call.read(body + padded(BODY) + 4, source(pattern(foot)));
        }
        client.send(call.and(0, 0, 0).call(XID, 0x2000007a, 1, PUT).and(head, foot));

        assertAnswer(head + BODY + foot);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 900})
    void aFurtherReadChunkOfALongCallIsAtItsPositionInTheMessage(int foot) throws Exception {
        ByteBuffer message = new Words()
                .call(XID, 0x2000007a, 1, PUT)
                .and(0) // the head is empty
                .counted(pattern(foot))
                .bytes();
        client.send(Words.header(XID, CREDITS, 1) // RDMA_NOMSG
                .read(0, source(message))
                .read(RPC_HEADER + 4, source(pattern(BODY)))
                .and(0, 0, 0));

        assertAnswer(BODY + foot);
    }

    /** Read segments at one position are one chunk, whatever their lengths. */
    @ParameterizedTest
    @ValueSource(ints = {0, 77})
    void aSegmentWithoutBytesBelongsToTheChunkOfTheItemThatHasBytes(int foot) throws Exception {
        RemoteSegment body = source(pattern(BODY));
        client.send(Words.header(XID, CREDITS, 0)
                .read(RPC_HEADER + 4, Words.used(body, 0))
                .read(RPC_HEADER + 4, body)
                .and(0, 0, 0)
                .call(XID, 0x2000007a, 1, PUT)
                .and(0)
                .counted(pattern(foot)));

        assertAnswer(BODY + foot);
    }
}
