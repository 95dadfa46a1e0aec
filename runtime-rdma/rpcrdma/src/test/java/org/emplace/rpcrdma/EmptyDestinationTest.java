// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpcrdma.Blobs.Items;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A large result whose destination is empty. */
final class EmptyDestinationTest {
    private RawPeer server;
    private RpcConnection client;

    @BeforeEach
    void connect() throws Exception {
        server = new RawPeer(RawPeer.privateData(false));
        client = Rpc.connect(server.listen());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void itsWriteChunkIsNotEmptySoThatTheServerCanInvalidateItsStag() throws Exception {
        RpcCall<Items> get = get();
        int[] call = server.receive();
        assertThat(call[8]).as("length of the segment").isEqualTo(1);

        answer(call, 0);
        assertThat(get.await().items())
                .singleElement()
                .satisfies(empty -> assertThat(empty.length()).isZero());
    }

    @Test
    void aResultInAnEmptyDestinationIsABadReply() throws Exception {
        RpcCall<Items> get = get();
        answer(server.receive(), 1);
        assertThatThrownBy(get::await)
                .isInstanceOfSatisfying(
                        RpcException.class, bad -> assertThat(bad.kind()).isEqualTo(RpcException.Kind.BAD_REPLY));
    }

    private RpcCall<Items> get() {
        return client.call(
                Blobs.GET,
                List.of(1L << 20),
                List.of(Destination.into(ByteBuffer.allocateDirect(0))),
                CallOptions.DEFAULT.withUnboundedReply(100));
    }

    /** A reply of one item that claims a number of bytes in the Write chunk. */
    private void answer(int[] call, int length) throws Exception {
        server.send(Words.header(call[0], 8, 0)
                .and(0)
                .and(1, 1, call[7], length, call[9], call[10], 0)
                .and(0)
                .reply(call[0])
                .and(1, length, 1));
    }
}
