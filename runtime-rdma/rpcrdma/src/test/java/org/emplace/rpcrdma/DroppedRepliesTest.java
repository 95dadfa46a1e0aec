// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;
import static org.emplace.rpcrdma.ClientOfRawPeer.SMALL_REPLY;

import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies for which no call waits leave no memory behind. */
@Timeout(60)
final class DroppedRepliesTest {
    private static final int GRANT = 4;

    private OneDevice device;
    private ClientOfRawPeer peers;

    @BeforeEach
    void connect() throws Exception {
        device = new OneDevice(1 << 20);
        peers = new ClientOfRawPeer(device, GRANT);
        // With iWARP, the accepting end must not send before it has received a message.
        assertThatTheConnectionStands();
    }

    @AfterEach
    void close() {
        peers.close();
        device.close();
    }

    @Test
    void aReplyToNoCall() throws Exception {
        peers.answer(0x5eed, GRANT);
        assertThatNothingIsHeld();
    }

    @Test
    void aLateReply() throws Exception {
        peers.answer(givenUp(SMALL_REPLY)[0], GRANT);
        assertThatNothingIsHeld();
    }

    @Test
    void aLateReplyInAReplyChunk() throws Exception {
        int[] call = givenUp(CallOptions.DEFAULT.withUnboundedReplySize(10_000));
        peers.server.send(Words.inReplyChunk(call, GRANT, 28));
        assertThatNothingIsHeld();
    }

    @Test
    void aLateReplyWithAMalformedHeader() throws Exception {
        peers.server.send(Words.header(givenUp(SMALL_REPLY)[0], GRANT, 7));
        assertThatNothingIsHeld();
    }

    /** Makes a call, which the server receives, and cancels it. Returns the words of its message. */
    private int[] givenUp(CallOptions options) throws Exception {
        RpcCall<XdrOpaque> call = peers.client.call(Blobs.ECHO, NOTHING, Destinations.none(), options);
        int[] sent = peers.server.receive();
        call.cancel();
        assertFails(call::await, Kind.CANCELLED);
        return sent;
    }

    /** Replies are handled in order, so earlier ones have been handled then. */
    private void assertThatTheConnectionStands() throws Exception {
        RpcCall<XdrOpaque> call = peers.echo();
        peers.answer(peers.server.receive()[0], GRANT);
        assertThat(call.await()).isEqualTo(NOTHING);
    }

    private void assertThatNothingIsHeld() throws Exception {
        assertThatTheConnectionStands();
        peers.client.close();
        device.awaitAllIsFree();
    }
}
