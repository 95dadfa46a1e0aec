// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;
import static org.emplace.rpcrdma.ClientOfRawPeer.SMALL_REPLY;
import static org.emplace.rpcrdma.Words.segment;
import static org.emplace.rpcrdma.Words.used;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** If a server claims to have written more than it did, the result does not contain a client's earlier messages. */
final class StaleBytesTest {
    private static final byte SECRET = 0x5e;
    private static final int LENGTH = 8000;
    private static final int CREDITS = 1;

    @AutoClose
    private final ClientOfRawPeer peers = new ClientOfRawPeer();

    @Test
    void aReplyChunkHasOnlyBytesThatWereWritten() throws Exception {
        leaveASecretInThePool();
        RpcCall<XdrOpaque> call = peers.client.call(
                Blobs.ECHO, NOTHING, Destinations.none(), SMALL_REPLY.withUnboundedReply(LENGTH - 300));
        int[] sent = peers.server.receive();
        RemoteSegment chunk = segment(sent, 8);
        ByteBuffer written = new Words().reply(sent[0]).and(LENGTH).bytes();

        peers.server.write(written, used(chunk, written.capacity()));
        peers.server.send(Words.inReplyChunk(sent, CREDITS, written.capacity() + LENGTH));

        assertThat(call.await().bytes()).isEqualTo(new byte[LENGTH]);
    }

    @Test
    void aStagedWriteChunkHasOnlyBytesThatWereWritten() throws Exception {
        leaveASecretInThePool();
        ByteBuffer onHeap = ByteBuffer.allocate(LENGTH);
        RpcCall<Items> call =
                peers.client.call(Blobs.GET, List.of((long) LENGTH), Blobs.into(Destination.into(onHeap)), SMALL_REPLY);
        int[] sent = peers.server.receive();

        peers.server.send(Words.placed(sent, CREDITS, LENGTH));

        call.await();
        assertThat(onHeap.array()).isEqualTo(new byte[LENGTH]);
    }

    /** Makes Long Calls with buffers as long as the chunks of the tests. */
    private void leaveASecretInThePool() throws Exception {
        byte[] secret = new byte[LENGTH];
        Arrays.fill(secret, SECRET);
        for (int length : new int[] {LENGTH, LENGTH - 100}) {
            RpcCall<XdrOpaque> call = peers.client.call(
                    Blobs.ECHO, XdrOpaque.of(Arrays.copyOf(secret, length)), Destinations.none(), SMALL_REPLY);
            peers.answer(peers.server.receive()[0], CREDITS);
            call.await();
        }
    }
}
