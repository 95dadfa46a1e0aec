// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import org.emplace.Rpc;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcClient;
import org.emplace.rpcrdma.Blobs.Items;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that serves, called by a server with handwritten headers. */
final class BackwardCallsTest {
    private static final int ERROR = 4;
    private static final int ERR_CHUNK = 2;

    private RawPeer server;
    private RpcClient client;

    @BeforeEach
    void connect() throws Exception {
        server = new RawPeer(RawPeer.privateData(false));
        URI address = server.listen();
        client = Rpc.connect(address, ConnectionOptions.DEFAULT);
        client.serve(Blobs.service());
        // With iWARP, the accepting end must not send before it has received a message.
        client.call(Blobs.PUT, Items.of(), Destinations.none(), CallOptions.DEFAULT);
        server.receive();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void anInlineCallIsAnsweredInlineWithCreditsOfThisDirection() throws Exception {
        server.send(Words.withoutChunks(7, 16).call(7, 4).and(0));

        server.assertReceives(Words.withoutChunks(7, 2).reply(7).and(0));
    }

    @Test
    void creditsAreGrantedToAServerThatRequestsNone() throws Exception {
        server.send(Words.withoutChunks(7, 0).call(7, 4).and(0));

        assertThat(server.receive()[2]).isPositive();
    }

    /** The client's own call waits for its reply, and others for the first grant. */
    @Test
    void creditsRequestedByABackwardCallAreNotGrantedToTheClient() throws Exception {
        client.call(Blobs.PUT, Items.of(), Destinations.none(), CallOptions.DEFAULT);

        server.send(Words.withoutChunks(8, 16).call(8, 4).and(0));

        assertThat(server.receive()[0]).isEqualTo(8);
        server.awaitSilence();
    }

    @Test
    void chunksAreRejected() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(5000);
        RemoteSegment sink = server.expose(memory, Right.REMOTE_WRITE);
        server.send(
                Words.header(2, 1, 0).and(0).chunk(sink).and(0, 0).call(2, 2).and(1, 5000));
        assertRefused(2);
        assertThat(memory).isEqualTo(ByteBuffer.allocate(5000));

        RemoteSegment source = server.expose(Blobs.pattern(5000), Right.REMOTE_READ);
        server.send(Words.header(3, 1, 0)
                .read(44, source)
                .and(0, 0, 0)
                .call(3, 1)
                .and(1, 5000)
                .and(1));
        assertRefused(3);
    }

    private void assertRefused(int xid) throws Exception {
        int[] reply = server.receive();
        assertThat(reply[0]).isEqualTo(xid);
        assertThat(reply[3]).isEqualTo(ERROR);
        assertThat(reply[4]).isEqualTo(ERR_CHUNK);
    }
}
