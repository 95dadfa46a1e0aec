// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.CREDITS;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How many calls a client has in flight (RFC 8166 section 3.3.3). */
final class RequesterCreditsTest {
    @AutoClose
    private final ClientOfRawPeer peers = new ClientOfRawPeer();

    @Test
    void oneCallIsSentUntilTheFirstReplyThenAsManyAsAreGranted() throws Exception {
        List<RpcCall<XdrOpaque>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(peers.echo());
        }
        int first = peers.server.receive()[0];
        assertThat(peers.server.hasReceived())
                .as("a second call without a credit")
                .isFalse();

        peers.answer(first, 3);
        int second = peers.server.receive()[0];
        peers.server.receive();
        int fourth = peers.server.receive()[0];
        assertThat(peers.server.hasReceived()).as("a fifth call").isFalse();

        peers.answer(second, 1);
        peers.answer(fourth, 1);
        assertThat(calls.get(3).await()).isEqualTo(NOTHING);
        assertThat(peers.server.hasReceived())
                .as("a call beyond the lowered grant")
                .isFalse();
        assertThat(calls.get(1).await()).isEqualTo(NOTHING);
    }

    @Test
    void aConnectionSaysWhetherACallWouldBeSentAtOnce() throws Exception {
        Connection client = (Connection) peers.client;
        assertThat(client.hasCredit()).isTrue();
        RpcCall<XdrOpaque> call = peers.echo();
        assertThat(client.hasCredit()).isFalse();

        peers.answer(peers.server.receive()[0], 1);
        call.await();
        assertThat(client.hasCredit()).isTrue();
        peers.server.queuePair().close();
        assertFails(peers.echo()::await, Kind.DISCONNECTED);
        assertThat(client.hasCredit()).isFalse();
    }

    @Test
    void aConnectionIsIdleSinceItsLatestCallUnlessOneWaits() throws Exception {
        RdmaConnection client = (RdmaConnection) peers.client;
        RpcCall<XdrOpaque> call = peers.echo();
        assertThat(client.idleNanos()).isZero();

        peers.answer(peers.server.receive()[0], 1);
        call.await();
        assertThat(client.idleNanos()).isPositive();
    }

    @Test
    void neverMoreCallsAreSentThanWereAskedFor() throws Exception {
        answerOne(1000);
        for (int i = 0; i < CREDITS + 1; i++) {
            peers.echo();
        }
        for (int i = 0; i < CREDITS; i++) {
            peers.server.receive();
        }
        assertThat(peers.server.hasReceived()).isFalse();
    }

    @Test
    void aCancelledCallKeepsItsCreditUntilItsLateReply() throws Exception {
        RpcCall<XdrOpaque> cancelled = peers.echo();
        int xid = peers.server.receive()[0];
        cancelled.cancel();
        assertFails(cancelled::await, Kind.CANCELLED);

        RpcCall<XdrOpaque> next = peers.echo();
        assertThat(peers.server.hasReceived())
                .as("a call on the cancelled one's credit")
                .isFalse();

        peers.answer(xid, 1);
        peers.answer(peers.server.receive()[0], 1);
        assertThat(next.await()).isEqualTo(NOTHING);
    }

    @Test
    void aLateReplyGrantsToo() throws Exception {
        RpcCall<XdrOpaque> cancelled = peers.echo();
        int xid = peers.server.receive()[0];
        cancelled.cancel();
        assertFails(cancelled::await, Kind.CANCELLED);
        peers.answer(xid, 2);

        peers.echo();
        peers.echo();
        peers.server.receive();
        peers.server.receive();
    }

    @Test
    void aCallThatCannotBeEncodedGivesItsCreditBack() throws Exception {
        Procedure<XdrOpaque, XdrOpaque> unsuitable = Blobs.echoEncodedBy((out, bytes) -> {
            throw new IllegalArgumentException("as it should");
        });
        assertFails(
                peers.client.call(unsuitable, NOTHING, Destinations.none(), CallOptions.DEFAULT)::await,
                Kind.GARBAGE_ARGS);

        peers.echo();
        peers.server.receive();
    }

    @Test
    void aQueuedCallCanBeCancelledAndIsNeverSent() throws Exception {
        peers.echo();
        RpcCall<XdrOpaque> queued = peers.echo();
        RpcCall<XdrOpaque> last = peers.echo();
        queued.cancel();
        assertFails(queued::await, Kind.CANCELLED);

        peers.answer(peers.server.receive()[0], 8);
        peers.answer(peers.server.receive()[0], 8);

        assertThat(last.await()).isEqualTo(NOTHING);
        assertThat(peers.server.hasReceived()).isFalse();
    }

    @Test
    void aMalformedReplyGivesItsCreditBackAndGrantsNoMore() throws Exception {
        RpcCall<XdrOpaque> broken = peers.echo();
        peers.server.send(Words.header(peers.server.receive()[0], CREDITS, 7));
        assertFails(broken::await, Kind.BAD_REPLY);
        assertThatOneCallIsSentAtATime();
    }

    static Stream<Arguments> messagesThatAreNoReply() {
        return Stream.of(
                message("none", xid -> new int[] {}),
                message("its xid and no more", xid -> new int[] {xid}),
                message("another xid", xid -> new int[] {xid + 1, 1, 0, 0, 0, 0, 0}),
                message("neither CALL nor REPLY", xid -> new int[] {xid, 2, 0, 0, 0, 0, 0}),
                message("the end within the RPC header", xid -> new int[] {xid, 1, 0, 0}),
                message("an unknown status", xid -> new int[] {xid, 1, 2, 0, 0, 0, 0}));
    }

    private static Arguments message(String what, IntFunction<int[]> ofXid) {
        return Arguments.of(what, ofXid);
    }

    /** Whatever their header grants, because it may not be the header of a reply. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("messagesThatAreNoReply")
    void aReplyWithoutAnRpcReplyGivesItsCreditBackAndGrantsNoMore(String what, IntFunction<int[]> message)
            throws Exception {
        RpcCall<XdrOpaque> broken = peers.echo();
        int xid = peers.server.receive()[0];

        peers.server.send(Words.withoutChunks(xid, CREDITS).and(message.apply(xid)));

        assertFails(broken::await, Kind.BAD_REPLY);
        assertThatOneCallIsSentAtATime();
    }

    @Test
    void aReplyChunkWithoutAnRpcReplyGrantsNoMore() throws Exception {
        RpcCall<XdrOpaque> broken = peers.client.call(
                Blobs.ECHO, NOTHING, Destinations.none(), CallOptions.DEFAULT.withUnboundedReply(10_000));
        int[] call = peers.server.receive();

        peers.server.send(Words.inReplyChunk(call, CREDITS, 100));

        assertFails(broken::await, Kind.BAD_REPLY);
        assertThatOneCallIsSentAtATime();
    }

    /** The Reply chunk of a call that was given up is not read. */
    @Test
    void aLateReplyInAReplyChunkGivesItsCreditBackAndGrantsNoMore() throws Exception {
        RpcCall<XdrOpaque> cancelled = peers.client.call(
                Blobs.ECHO, NOTHING, Destinations.none(), CallOptions.DEFAULT.withUnboundedReply(10_000));
        int[] call = peers.server.receive();
        cancelled.cancel();
        assertFails(cancelled::await, Kind.CANCELLED);

        peers.server.send(Words.inReplyChunk(call, CREDITS, 28));

        assertThatOneCallIsSentAtATime();
    }

    @Test
    void anErrorIsAReplyAndGrants() throws Exception {
        RpcCall<XdrOpaque> refused = peers.echo();
        peers.server.send(Words.header(peers.server.receive()[0], 2, 4).and(2));
        assertFails(refused::await, Kind.CHUNK_ERROR);

        peers.echo();
        peers.echo();

        peers.server.receive();
        peers.server.receive();
    }

    @Test
    void aGrantOfZeroCountsAsOne() throws Exception {
        answerOne(5);
        answerOne(0);
        assertThatOneCallIsSentAtATime();
    }

    private void assertThatOneCallIsSentAtATime() throws Exception {
        peers.echo();
        peers.echo();
        peers.server.receive();
        peers.server.awaitSilence();
    }

    private void answerOne(int credits) throws Exception {
        RpcCall<XdrOpaque> call = peers.echo();
        peers.answer(peers.server.receive()[0], credits);
        call.await();
    }
}
