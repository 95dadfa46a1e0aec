// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import org.emplace.RpcServer;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpcrdma.RawPeer;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.album.Album2Server;
import org.emplace.tests.codegen.album.Frame1Server;

/**
 * A generated server of both programs, with a {@link RawPeer} as its client. All of the client's calls have the same xid. The client sends no private
 * data, so both inline thresholds are 1024 bytes.
 */
final class ServerOfRawClient implements AutoCloseable {
    static final int XID = 0x5eed0001;

    /** The credits that the client requests and the server grants. The server has no more. */
    private static final int CREDITS = 1;

    final Gallery gallery = new Gallery();
    final RawPeer client;
    private final RpcServer server;

    ServerOfRawClient() {
        try {
            server = RpcServer.builder()
                    .service(Album2Server.service(gallery))
                    .service(Frame1Server.service(gallery))
                    .options(ConnectionOptions.DEFAULT.withCredits(CREDITS))
                    .listen(URI.create("rdma://" + RawPeer.HOST + ":0"))
                    .start();
            client = RawPeer.connectedTo(
                    URI.create("rdma://" + RawPeer.HOST + ":"
                            + server.addresses().get(0).getPort()),
                    new byte[0]);
        } catch (Exception e) {
            throw new AssertionError("the peers do not connect", e);
        }
    }

    /** The fixed header fields of a call and of its reply. */
    static Words header(int type) {
        return Words.header(XID, CREDITS, type);
    }

    void assertAnswer(Words expected) throws Exception {
        assertThat(client.receive()).containsExactly(Words.of(expected.bytes()));
    }

    /** Exposes bytes for the server to read. */
    RemoteSegment source(ByteBuffer bytes) throws Exception {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.remaining())
                .put(bytes.duplicate())
                .flip();
        return client.expose(direct, Right.REMOTE_READ);
    }

    /** Exposes memory for the server to write. */
    Sink sink(int length) throws Exception {
        ByteBuffer memory = Sink.blank(length);
        return new Sink(memory, client.expose(memory, Right.REMOTE_WRITE));
    }

    /** Memory that the server may write, and its segment. */
    record Sink(ByteBuffer memory, RemoteSegment segment) {

        /** The bytes that the server has written; their number is checked. */
        ByteBuffer bytes(int length) {
            int rest = memory.capacity() - length;
            assertThat(memory.slice(length, rest))
                    .as("what is behind the result")
                    .isEqualTo(blank(rest));
            return memory.slice(0, length);
        }

        private static ByteBuffer blank(int length) {
            ByteBuffer blank = ByteBuffer.allocateDirect(length);
            while (blank.hasRemaining()) {
                blank.put((byte) 0xff);
            }
            return blank.flip();
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
