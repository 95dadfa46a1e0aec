// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.emplace.Rpc;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcClient;
import org.emplace.rpcrdma.RawPeer;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.album.Album2Client;
import org.emplace.tests.codegen.album.Frame1Client;

/**
 * Generated clients of both programs on one connection, with a {@link RawPeer} as their server. The server sends no private data, so both inline
 * thresholds are 1024 bytes. From the clients' messages, tests use only handles and offsets.
 */
final class ClientOfRawServer implements AutoCloseable {
    static final CallOptions OPTIONS = CallOptions.DEFAULT.withUnboundedReplySize(100);

    /** The credits that the client requests and the server grants. */
    private static final int CREDITS = 8;

    final RawPeer server;
    final RpcClient connection;
    final Album2Client album;
    final Frame1Client frame;

    ClientOfRawServer() {
        try {
            server = new RawPeer(new byte[0]);
            connection = Rpc.connect(server.listen(), ConnectionOptions.DEFAULT.withCredits(CREDITS));
        } catch (Exception e) {
            throw new AssertionError("the peers do not connect", e);
        }
        album = Album2Client.on(connection).with(OPTIONS);
        frame = Frame1Client.on(connection).with(OPTIONS);
    }

    /** The fixed header fields of a call that was sent, or of its reply. */
    static Words header(int[] call, int type) {
        return Words.header(call[0], CREDITS, type);
    }

    static void assertSent(int[] message, Words expected) {
        assertThat(message).containsExactly(Words.of(expected.bytes()));
    }

    /** Reads memory that the client has exposed. */
    ByteBuffer read(RemoteSegment source) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) source.length());
        assertThat(server.read(bytes, source)).isEqualTo(Completion.Status.SUCCESS);
        return bytes;
    }

    /** Writes to memory that the client has exposed. */
    void write(ByteBuffer bytes, RemoteSegment sink) throws Exception {
        ByteBuffer direct =
                ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
        assertThat(server.write(direct, sink)).isEqualTo(Completion.Status.SUCCESS);
    }

    @Override
    public void close() {
        connection.close();
        server.close();
    }
}
