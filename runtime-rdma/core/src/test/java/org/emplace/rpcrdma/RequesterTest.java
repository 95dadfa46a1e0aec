// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Rpc;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client sends, and what it does with the replies of other implementations, broken ones among them. */
final class RequesterTest {
    private static final int CREDITS = 8;
    private static final CallOptions SMALL_REPLY = CallOptions.DEFAULT.withUnboundedReply(100);
    private static final XdrOpaque NOTHING = XdrOpaque.EMPTY;
    private static final byte POISON = 0x66;

    private RawPeer server;
    private RpcConnection client;

    @BeforeEach
    void connect() throws Exception {
        server = new RawPeer(RawPeer.privateData(false));
        client = Rpc.connect(server.listen(), ConnectionOptions.DEFAULT.withCredits(CREDITS));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aShortCallAsksForCreditsAndHasNoChunks() throws Exception {
        echo();

        int[] call = server.receive();

        assertThat(call)
                .containsExactly(Words.of(Words.header(call[0], CREDITS, 0)
                        .and(0, 0, 0)
                        .call(call[0], 4)
                        .and(0)
                        .bytes()));
    }

    @Test
    void aLargeResultIsOfferedOneWriteChunkAndNoReplyChunk() throws Exception {
        get(1 << 20);

        int[] call = server.receive();

        assertThat(call[3]).as("RDMA_MSG").isZero();
        assertThat(call[4]).as("no Read list").isZero();
        assertThat(call)
                .startsWith(call[0], 1, CREDITS, 0, 0, 1, 1, call[7], 1 << 20, call[9], call[10], 0, 0, call[0]);
    }

    @Test
    void aDestinationLimitsItsWriteChunk() throws Exception {
        client.call(
                Blobs.GET,
                List.of(1L << 20),
                List.of(Destination.into(ByteBuffer.allocateDirect(70_000))),
                SMALL_REPLY);

        assertThat(server.receive()[8]).isEqualTo(70_000);
    }

    @Test
    void aReplyWithoutLimitIsOfferedAReplyChunk() throws Exception {
        client.call(Blobs.ECHO, NOTHING, List.of(), CallOptions.DEFAULT.withUnboundedReply(10_000));

        int[] call = server.receive();

        assertThat(call).startsWith(call[0], 1, CREDITS, 0, 0, 0, 1, 1, call[8]);
        assertThat(call[9]).isGreaterThanOrEqualTo(10_000);
    }

    @Test
    void aLargeArgumentsPositionCountsFromTheXid() throws Exception {
        client.call(
                Blobs.PUT,
                Items.of(Payload.of(Blobs.pattern(5)), Payload.of(Blobs.pattern(9001))),
                List.of(),
                SMALL_REPLY);

        int[] call = server.receive();

        assertThat(call)
                .startsWith(
                        call[0], 1, CREDITS, 0, 1, 40 + 4 + 12 + 4, call[6], 9001, call[8], call[9], 0, 0, 0, call[0]);
        ByteBuffer read = ByteBuffer.allocateDirect(9001);
        assertThat(server.read(read, segment(call, 6))).isEqualTo(Completion.Status.SUCCESS);
        assertThat(read).isEqualTo(Blobs.pattern(9001));
    }

    @Test
    void withoutPrivateDataBothThresholdsAre1024Bytes() throws Exception {
        try (RawPeer plain = new RawPeer(new byte[0]);
                RpcConnection caller = Rpc.connect(plain.listen())) {
            caller.call(Blobs.ECHO, XdrOpaque.of(new byte[1024 - 28 - 44]), List.of(), SMALL_REPLY);
            int[] fitting = plain.receive();
            assertThat(fitting).hasSize(256).startsWith(fitting[0], 1, 64, 0, 0, 0, 0);
            plain.send(Words.header(fitting[0], 8, 0)
                    .and(0, 0, 0)
                    .reply(fitting[0])
                    .and(0));

            caller.call(Blobs.ECHO, XdrOpaque.of(new byte[1024 - 28 - 40]), List.of(), SMALL_REPLY);
            assertThat(plain.receive()[3]).as("RDMA_NOMSG").isEqualTo(1);
            caller.call(Blobs.ECHO, NOTHING, List.of(), SMALL_REPLY.withUnboundedReply(600));
            assertThat(plain.receive()[6]).as("Reply chunk").isEqualTo(1);
        }
    }

    @Test
    void oneCallIsSentUntilTheFirstReplyThenAsManyAsAreGranted() throws Exception {
        List<RpcCall<XdrOpaque>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(echo());
        }
        int first = server.receive()[0];
        assertThat(server.hasReceived()).as("a second call without a credit").isFalse();

        answer(first, 3);
        int second = server.receive()[0];
        server.receive();
        int fourth = server.receive()[0];
        assertThat(server.hasReceived()).as("a fifth call").isFalse();

        answer(second, 1);
        answer(fourth, 1);
        assertThat(calls.get(3).await()).isEqualTo(NOTHING);
        assertThat(server.hasReceived()).as("a call beyond the lowered grant").isFalse();
        assertThat(calls.get(1).await()).isEqualTo(NOTHING);
    }

    @Test
    void neverMoreCallsAreSentThanWereAskedFor() throws Exception {
        answerOne(1000);
        for (int i = 0; i < CREDITS + 1; i++) {
            echo();
        }
        for (int i = 0; i < CREDITS; i++) {
            server.receive();
        }
        assertThat(server.hasReceived()).isFalse();
    }

    @Test
    void aCancelledCallKeepsItsCreditUntilItsLateReply() throws Exception {
        RpcCall<XdrOpaque> cancelled = echo();
        int xid = server.receive()[0];
        cancelled.cancel();
        assertFails(cancelled, Kind.CANCELLED);

        RpcCall<XdrOpaque> next = echo();
        assertThat(server.hasReceived())
                .as("a call on the cancelled one's credit")
                .isFalse();

        answer(xid, 1);
        answer(server.receive()[0], 1);
        assertThat(next.await()).isEqualTo(NOTHING);
    }

    @Test
    void aQueuedCallCanBeCancelledAndIsNeverSent() throws Exception {
        echo();
        RpcCall<XdrOpaque> queued = echo();
        RpcCall<XdrOpaque> last = echo();
        queued.cancel();
        assertFails(queued, Kind.CANCELLED);

        answer(server.receive()[0], 8);
        answer(server.receive()[0], 8);

        assertThat(last.await()).isEqualTo(NOTHING);
        assertThat(server.hasReceived()).isFalse();
    }

    @Test
    void afterATimeoutThePeerCanNoLongerWriteIntoTheDestination() throws Exception {
        ByteBuffer data = poisoned(100_000);
        RpcCall<Items> call = client.call(
                Blobs.GET,
                List.of(100_000L),
                List.of(Destination.into(data)),
                SMALL_REPLY.withTimeout(Duration.ofMillis(50)));
        RemoteSegment chunk = segment(server.receive(), 7);

        assertFails(call, Kind.TIMED_OUT);

        assertThat(server.write(Blobs.pattern(100_000), chunk)).isNotNull();
        server.awaitEnd();
        assertThat(data).isEqualTo(poisoned(100_000));
    }

    @Test
    void afterACancellationThePeerCanNoLongerReadTheArguments() throws Exception {
        ByteBuffer data = Blobs.pattern(50_000);
        RpcCall<Long> call = client.call(Blobs.PUT, Items.of(Payload.of(data)), List.of(), SMALL_REPLY);
        RemoteSegment chunk = segment(server.receive(), 6);
        call.cancel();
        assertFails(call, Kind.CANCELLED);

        ByteBuffer sink = poisoned(50_000);
        assertThat(server.read(sink, chunk)).isNotEqualTo(Completion.Status.SUCCESS);

        assertThat(sink).isEqualTo(poisoned(50_000));
    }

    @Test
    void afterTheReplyThePeerCanNoLongerWriteIntoTheDestination() throws Exception {
        ByteBuffer data = poisoned(100_000);
        RpcCall<Items> call = client.call(Blobs.GET, List.of(100_000L), List.of(Destination.into(data)), SMALL_REPLY);
        int[] sent = server.receive();
        RemoteSegment chunk = segment(sent, 7);
        server.write(Blobs.pattern(9), new RemoteSegment(chunk.stag(), chunk.offset(), 9));
        server.send(Words.header(sent[0], 8, 0)
                .and(0)
                .and(1, 1)
                .and(used(chunk, 9))
                .and(0)
                .and(0)
                .reply(sent[0])
                .and(1, 9, 1));

        assertThat(call.await().items().get(0).buffer()).isEqualTo(Blobs.pattern(9));
        server.write(Blobs.pattern(100_000), chunk);
        server.awaitEnd();

        assertThat(data.slice(9, 99_991)).isEqualTo(poisoned(99_991));
    }

    @Test
    void aReplyWithAnUnknownXidIsDropped() throws Exception {
        RpcCall<XdrOpaque> call = echo();
        int xid = server.receive()[0];
        answer(xid + 1, 8);
        server.send(Words.header(xid + 1, 8, 4).and(2));
        server.send(new Words().and(xid, 1, 8));
        answer(xid, 8);

        assertThat(call.await()).isEqualTo(NOTHING);
    }

    static Stream<Arguments> badReplies() {
        return Stream.of(
                Arguments.of("ERR_CHUNK", Kind.PROTOCOL_MISMATCH, reply(4).and(2)),
                Arguments.of("ERR_VERS", Kind.PROTOCOL_MISMATCH, reply(4).and(1, 2, 3)),
                Arguments.of("an unknown error", Kind.BAD_REPLY, reply(4).and(3)),
                Arguments.of("an unknown type", Kind.BAD_REPLY, reply(7)),
                Arguments.of("another version", Kind.BAD_REPLY, new Words().and(0, 2, 8, 0)),
                Arguments.of("a truncated header", Kind.BAD_REPLY, reply(0).and(0)),
                Arguments.of(
                        "a Read list",
                        Kind.BAD_REPLY,
                        reply(0).and(1, 0)
                                .and(segmentOf(4))
                                .and(0, 0, 0)
                                .reply(0)
                                .and(1, 0, 1)),
                Arguments.of(
                        "more Write chunks than offered",
                        Kind.BAD_REPLY,
                        reply(0).and(0)
                                .and(1, 1)
                                .and(segmentOf(0))
                                .and(1, 1)
                                .and(segmentOf(0))
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
                                .and(1, 1)
                                .and(segmentOf(100_001))
                                .and(0, 0)
                                .reply(0)
                                .and(1, 100_001, 1)),
                Arguments.of(
                        "other bytes than the result has",
                        Kind.BAD_REPLY,
                        reply(0).and(0)
                                .and(1, 1)
                                .and(segmentOf(40))
                                .and(0, 0)
                                .reply(0)
                                .and(1, 36, 1)),
                Arguments.of("RDMA_NOMSG without a Reply chunk", Kind.BAD_REPLY, reply(1).and(0, 0, 0)),
                Arguments.of(
                        "a Reply chunk that was not offered",
                        Kind.BAD_REPLY,
                        reply(1).and(0, 0).and(1, 1).and(segmentOf(40))),
                Arguments.of(
                        "RDMA_MSG with a used Reply chunk",
                        Kind.BAD_REPLY,
                        reply(0).and(0, 0).and(1, 1).and(segmentOf(40)).reply(0).and(0, 0)),
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
        RpcCall<Items> call = get(100_000);
        int xid = server.receive()[0];

        server.send(reply.withXid(xid));

        assertFails(call, kind);
        RpcCall<XdrOpaque> next = echo();
        answer(server.receive()[0], 8);
        assertThat(next.await()).as("a call after " + what).isEqualTo(NOTHING);
    }

    @Test
    void aWriteChunkMayComeBackRoundedUp() throws Exception {
        RpcCall<Items> call = get(10_000);
        int[] sent = server.receive();
        RemoteSegment chunk = segment(sent, 7);
        server.write(Blobs.pattern(5), new RemoteSegment(chunk.stag(), chunk.offset(), 5));
        server.send(reply(0).and(0)
                .and(1, 1)
                .and(used(chunk, 8))
                .and(0, 0)
                .reply(0)
                .and(1, 5, 1)
                .withXid(sent[0]));

        assertThat(call.await().items().get(0).buffer()).isEqualTo(Blobs.pattern(5));
    }

    @Test
    void unusedWriteChunksMayBeLeftOutOfAnRpcErrorsReply() throws Exception {
        RpcCall<Items> call = get(10_000);
        int xid = server.receive()[0];
        server.send(reply(0).and(0, 0, 0).and(xid, 1, 0, 0, 0, 5).withXid(xid));

        assertFails(call, Kind.SYSTEM_ERROR);
    }

    @Test
    void theEndOfTheConnectionFailsAllCalls() throws Exception {
        RpcCall<XdrOpaque> sent = echo();
        RpcCall<XdrOpaque> queued = echo();
        server.receive();

        server.queuePair().close();

        assertFails(sent, Kind.DISCONNECTED);
        assertFails(queued, Kind.DISCONNECTED);
        assertFails(echo(), Kind.DISCONNECTED);
        assertThatThrownBy(() -> client.closed().toCompletableFuture().get()).hasCauseInstanceOf(RpcException.class);
    }

    private RpcCall<XdrOpaque> echo() {
        return client.call(Blobs.ECHO, NOTHING, List.of(), SMALL_REPLY);
    }

    private RpcCall<Items> get(long size) {
        return client.call(Blobs.GET, List.of(size), List.of(), SMALL_REPLY);
    }

    private void answer(int xid, int credits) throws Exception {
        server.send(Words.header(xid, credits, 0).and(0, 0, 0).reply(xid).and(0));
    }

    private void answerOne(int credits) throws Exception {
        RpcCall<XdrOpaque> call = echo();
        answer(server.receive()[0], credits);
        call.await();
    }

    private static void assertFails(RpcCall<?> call, Kind kind) {
        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    /** A reply's fixed fields; the xid is filled in later. */
    private static Words reply(int type) {
        return Words.header(0, 8, type);
    }

    private static RemoteSegment segment(int[] message, int at) {
        long offset = (long) message[at + 2] << 32 | Integer.toUnsignedLong(message[at + 3]);
        return new RemoteSegment(message[at], offset, Integer.toUnsignedLong(message[at + 1]));
    }

    private static RemoteSegment segmentOf(int length) {
        return new RemoteSegment(0x100, 0, length);
    }

    private static RemoteSegment used(RemoteSegment offered, int length) {
        return new RemoteSegment(offered.stag(), offered.offset(), length);
    }

    private static ByteBuffer poisoned(int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, POISON);
        }
        return bytes;
    }
}
