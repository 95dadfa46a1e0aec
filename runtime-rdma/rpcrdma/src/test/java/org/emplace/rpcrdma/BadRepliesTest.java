// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client does with replies that are broken, or nobody's, and with their absence. */
final class BadRepliesTest {
    @AutoClose
    private final ClientOfRawPeer peers = new ClientOfRawPeer();

    @Test
    void aReplyWithAnUnknownXidIsDropped() throws Exception {
        RpcCall<XdrOpaque> call = peers.echo();
        int xid = peers.server.receive()[0];
        peers.answer(xid + 1, 8);
        peers.server.send(Words.header(xid + 1, 8, 4).and(2));
        peers.server.send(new Words().and(xid, 1, 8));
        peers.answer(xid, 8);

        assertThat(call.await()).isEqualTo(NOTHING);
    }

    static Stream<Arguments> badReplies() {
        return Stream.of(
                Arguments.of("ERR_CHUNK", Kind.CHUNK_ERROR, reply(4).and(2)),
                Arguments.of("ERR_VERS", Kind.PROTOCOL_MISMATCH, reply(4).and(1, 2, 3)),
                Arguments.of("an unknown error", Kind.BAD_REPLY, reply(4).and(3)),
                Arguments.of("an unknown type", Kind.BAD_REPLY, reply(7)),
                Arguments.of("another version", Kind.BAD_REPLY, new Words().and(0, 2, 8, 0)),
                Arguments.of("a truncated header", Kind.BAD_REPLY, reply(0).and(0)),
                Arguments.of(
                        "a Read list",
                        Kind.BAD_REPLY,
                        reply(0).read(0, segmentOf(4)).and(0, 0, 0).reply(0).and(1, 0, 1)),
                Arguments.of(
                        "more Write chunks than offered",
                        Kind.BAD_REPLY,
                        reply(0).and(0)
                                .chunk(segmentOf(0))
                                .chunk(segmentOf(0))
                                .and(0, 0)
                                .reply(0)
                                .and(1, 0, 1)),
                Arguments.of(
                        "more segments than offered",
                        Kind.BAD_REPLY,
                        reply(0).and(0)
                                .and(1, 2)
                                .and(segmentOf(0))
                                .and(segmentOf(0))
                                .and(0, 0)
                                .reply(0)
                                .and(1, 0, 1)),
                Arguments.of(
                        "more bytes than offered",
                        Kind.BAD_REPLY,
                        reply(0).and(0)
                                .chunk(segmentOf(100_001))
                                .and(0, 0)
                                .reply(0)
                                .and(1, 100_001, 1)),
                Arguments.of(
                        "other bytes than the result has",
                        Kind.BAD_REPLY,
                        reply(0).and(0).chunk(segmentOf(40)).and(0, 0).reply(0).and(1, 36, 1)),
                Arguments.of("RDMA_NOMSG without a Reply chunk", Kind.BAD_REPLY, reply(1).and(0, 0, 0)),
                Arguments.of(
                        "a Reply chunk that was not offered",
                        Kind.BAD_REPLY,
                        reply(1).and(0, 0).chunk(segmentOf(40))),
                Arguments.of(
                        "RDMA_MSG with a used Reply chunk",
                        Kind.BAD_REPLY,
                        reply(0).and(0, 0).chunk(segmentOf(40)).reply(0).and(0, 0)),
                Arguments.of(
                        "another xid in the RPC message",
                        Kind.BAD_REPLY,
                        reply(0).and(0, 0, 0).and(77, 1, 0, 0, 0, 0, 0, 0)),
                Arguments.of(
                        "results that end early",
                        Kind.BAD_REPLY,
                        reply(0).and(0, 0, 0).reply(0)),
                Arguments.of(
                        "bytes left over",
                        Kind.BAD_REPLY,
                        reply(0).and(0, 0, 0).reply(0).and(0, 0, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badReplies")
    void aBadReplyFailsItsCallAndNothingElse(String what, Kind kind, Words reply) throws Exception {
        RpcCall<Items> call = peers.get(100_000);
        int xid = peers.server.receive()[0];

        peers.server.send(reply.withXid(xid));

        assertFails(call::await, kind);
        RpcCall<XdrOpaque> next = peers.echo();
        peers.answer(peers.server.receive()[0], 8);
        assertThat(next.await()).as("a call after " + what).isEqualTo(NOTHING);
    }

    @Test
    void aReplyWithOtherSegmentsThanOfferedSaysHowManyWereOffered() throws Exception {
        RpcCall<Items> ofOne = peers.get(100_000);
        peers.server.send(reply(0).and(0)
                .and(1, 2)
                .and(segmentOf(0))
                .and(segmentOf(0))
                .and(0, 0)
                .reply(0)
                .and(1, 0, 1)
                .withXid(peers.server.receive()[0]));
        assertFails(ofOne::await, Kind.BAD_REPLY).hasMessageContaining("2 segments, 1 was offered");

        Destination pieces = Destination.into(ByteBuffer.allocateDirect(5000), ByteBuffer.allocateDirect(5000));
        RpcCall<Items> ofTwo =
                peers.client.call(Blobs.GET, List.of(100_000L), Blobs.into(pieces), ClientOfRawPeer.SMALL_REPLY);
        peers.server.send(reply(0).and(0)
                .chunk(segmentOf(0))
                .and(0, 0)
                .reply(0)
                .and(1, 0, 1)
                .withXid(peers.server.receive()[0]));
        assertFails(ofTwo::await, Kind.BAD_REPLY).hasMessageContaining("1 segments, 2 were offered");
    }

    @Test
    void aCallAnsweredWithErrChunkFailsAndSaysWhatCanBeDone() throws Exception {
        RpcCall<XdrOpaque> call = peers.echo();
        peers.server.send(reply(4).and(2).withXid(peers.server.receive()[0]));

        assertFails(call::await, Kind.CHUNK_ERROR).hasMessageContaining("CallOptions.withUnboundedReply");
    }

    @Test
    void anRdmaDoneIsDropped() throws Exception {
        RpcCall<XdrOpaque> call = peers.echo();
        int xid = peers.server.receive()[0];
        peers.server.send(Words.header(xid, 8, 3));

        peers.answer(xid, 8);

        assertThat(call.await()).isEqualTo(NOTHING);
    }

    /** The whole chunk, or its segments. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unusedWriteChunksMayBeLeftOutOfAnRpcErrorsReply(boolean comesBackWithoutSegments) throws Exception {
        RpcCall<Items> call = peers.get(10_000);
        int xid = peers.server.receive()[0];
        Words header = comesBackWithoutSegments ? reply(0).and(0, 1, 0, 0, 0) : reply(0).and(0, 0, 0);
        peers.server.send(header.and(xid, 1, 0, 0, 0, 5).withXid(xid));

        assertFails(call::await, Kind.SYSTEM_ERROR);
    }

    @Test
    void theEndOfTheConnectionFailsAllCalls() throws Exception {
        RpcCall<XdrOpaque> sent = peers.echo();
        RpcCall<XdrOpaque> queued = peers.echo();
        peers.server.receive();

        peers.server.queuePair().close();

        assertFails(sent::await, Kind.DISCONNECTED);
        assertFails(queued::await, Kind.DISCONNECTED);
        assertFails(peers.echo()::await, Kind.DISCONNECTED);
        assertThatThrownBy(() -> peers.client.closed().toCompletableFuture().get())
                .hasCauseInstanceOf(RpcException.class);
    }

    /** A reply's fixed fields; the xid is filled in later. */
    private static Words reply(int type) {
        return Words.header(0, 8, type);
    }

    private static RemoteSegment segmentOf(int length) {
        return new RemoteSegment(0x100, 0, length);
    }
}
