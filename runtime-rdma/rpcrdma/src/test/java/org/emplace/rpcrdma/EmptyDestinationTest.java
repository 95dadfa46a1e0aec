// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpcrdma.Blobs.Items;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A large result whose destination is empty. */
final class EmptyDestinationTest {
    @AutoClose
    private final ClientOfRawPeer peers = new ClientOfRawPeer();

    @Test
    void itsWriteChunkIsNotEmptySoThatTheServerCanInvalidateItsStag() throws Exception {
        RpcCall<Items> get = get();
        int[] call = peers.server.receive();
        assertThat(call[8]).as("length of the segment").isEqualTo(1);

        peers.server.send(Words.placed(call, 8, 0));
        assertThat(get.await().items())
                .singleElement()
                .satisfies(empty -> assertThat(empty.length()).isZero());
    }

    @Test
    void aResultInAnEmptyDestinationIsABadReply() throws Exception {
        RpcCall<Items> get = get();
        peers.server.send(Words.placed(peers.server.receive(), 8, 1));
        assertFails(get::await, RpcException.Kind.BAD_REPLY);
    }

    private RpcCall<Items> get() {
        return peers.client.call(
                Blobs.GET,
                List.of(1L << 20),
                List.of(Destination.into(ByteBuffer.allocateDirect(0))),
                ClientOfRawPeer.SMALL_REPLY);
    }
}
