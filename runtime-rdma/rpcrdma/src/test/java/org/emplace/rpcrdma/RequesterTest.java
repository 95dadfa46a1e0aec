// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.CREDITS;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;
import static org.emplace.rpcrdma.ClientOfRawPeer.SMALL_REPLY;
import static org.emplace.rpcrdma.Words.segment;
import static org.emplace.rpcrdma.Words.used;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client sends, and when its peer can access its memory. For replies see also {@link BadRepliesTest}. */
final class RequesterTest {
    private static final byte POISON = 0x66;

    @AutoClose
    private final ClientOfRawPeer peers = new ClientOfRawPeer();

    @Test
    void aShortCallRequestsCreditsAndHasNoChunks() throws Exception {
        peers.echo();

        int[] call = peers.server.receive();

        assertThat(call)
                .containsExactly(Words.of(Words.withoutChunks(call[0], CREDITS)
                        .call(call[0], 4)
                        .and(0)
                        .bytes()));
    }

    @Test
    void aLargeResultGetsOneWriteChunkAndNoReplyChunk() throws Exception {
        peers.get(1 << 20);

        int[] call = peers.server.receive();

        assertThat(call[3]).as("RDMA_MSG").isZero();
        assertThat(call[4]).as("no Read list").isZero();
        assertThat(call)
                .startsWith(call[0], 1, CREDITS, 0, 0, 1, 1, call[7], 1 << 20, call[9], call[10], 0, 0, call[0]);
    }

    @Test
    void aDestinationLimitsItsWriteChunk() throws Exception {
        peers.client.call(
                Blobs.GET,
                List.of(1L << 20),
                Blobs.into(Destination.into(ByteBuffer.allocateDirect(70_000))),
                SMALL_REPLY);

        assertThat(peers.server.receive()[8]).isEqualTo(70_000);
    }

    @Test
    void theWriteChunkOfAnEmptyDestinationIsNotEmptySoThatTheServerCanInvalidateItsStag() throws Exception {
        RpcCall<Items> get = getIntoNothing();
        int[] call = peers.server.receive();
        assertThat(call[8]).as("length of the segment").isEqualTo(1);

        peers.server.send(Words.placed(call, 8, 0));
        assertThat(get.await().items())
                .singleElement()
                .satisfies(empty -> assertThat(empty.length()).isZero());
    }

    @Test
    void aResultInAnEmptyDestinationIsABadReply() throws Exception {
        RpcCall<Items> get = getIntoNothing();
        peers.server.send(Words.placed(peers.server.receive(), 8, 1));
        assertFails(get::await, Kind.BAD_REPLY);
    }

    private RpcCall<Items> getIntoNothing() {
        return peers.client.call(
                Blobs.GET, List.of(1L << 20), Blobs.into(Destination.into(ByteBuffer.allocateDirect(0))), SMALL_REPLY);
    }

    @Test
    void aDestinationThatIsNoLongerRegisteredIsNotExposed() throws Exception {
        RegisteredBuffer destination = peers.client.memory().register(ByteBuffer.allocateDirect(70_000));
        destination.close();
        RpcCall<Items> refused = peers.client.call(
                Blobs.GET, List.of(1L << 20), Blobs.into(Destination.into(destination, 0, 70_000)), SMALL_REPLY);

        assertFails(refused::await, Kind.NO_RESOURCES).hasMessageContaining("deregistered");
        RpcCall<XdrOpaque> next = peers.echo();
        peers.answer(peers.server.receive()[0], 1);
        assertThat(next.await()).isEqualTo(NOTHING);
    }

    @Test
    void aReplyWithoutLimitGetsAReplyChunk() throws Exception {
        peers.client.call(Blobs.ECHO, NOTHING, Destinations.none(), CallOptions.DEFAULT.withUnboundedReply(10_000));

        int[] call = peers.server.receive();

        assertThat(call).startsWith(call[0], 1, CREDITS, 0, 0, 0, 1, 1, call[8]);
        assertThat(call[9]).isGreaterThanOrEqualTo(10_000);
    }

    @Test
    void aLargeArgumentsPositionCountsFromTheXid() throws Exception {
        peers.client.call(
                Blobs.PUT,
                Items.of(Payload.of(Blobs.pattern(5)), Payload.of(Blobs.pattern(9001))),
                Destinations.none(),
                SMALL_REPLY);

        int[] call = peers.server.receive();

        assertThat(call)
                .startsWith(
                        call[0], 1, CREDITS, 0, 1, 40 + 4 + 12 + 4, call[6], 9001, call[8], call[9], 0, 0, 0, call[0]);
        ByteBuffer read = ByteBuffer.allocateDirect(9001);
        assertThat(peers.server.read(read, segment(call, 6))).isEqualTo(Completion.Status.SUCCESS);
        assertThat(read).isEqualTo(Blobs.pattern(9001));
    }

    @Test
    void anArgumentOfSeveralBuffersIsAReadChunkOfAsManySegments() throws Exception {
        ByteBuffer bytes = Blobs.pattern(9001);
        peers.client.call(
                Blobs.PUT,
                Items.of(Payload.of(bytes.slice(0, 3), bytes.slice(3, 8000), bytes.slice(8003, 998))),
                Destinations.none(),
                SMALL_REPLY);

        int[] call = peers.server.receive();

        int position = 40 + 4 + 4;
        assertThat(call)
                .startsWith(
                        call[0], 1, CREDITS, 0, 1, position, call[6], 3, call[8], call[9], 1, position, call[12], 8000,
                        call[14], call[15], 1, position, call[18], 998, call[20], call[21], 0, 0, 0, call[0]);
        ByteBuffer read = ByteBuffer.allocateDirect(9001);
        peers.server.read(read.slice(0, 3), segment(call, 6));
        peers.server.read(read.slice(3, 8000), segment(call, 12));
        peers.server.read(read.slice(8003, 998), segment(call, 18));
        assertThat(read).isEqualTo(bytes);
    }

    @Test
    void aDestinationOfSeveralBuffersIsAWriteChunkOfAsManySegments() throws Exception {
        ByteBuffer first = ByteBuffer.allocateDirect(6);
        ByteBuffer second = ByteBuffer.allocateDirect(5000);
        ByteBuffer third = ByteBuffer.allocate(6000);
        RpcCall<Items> call = peers.client.call(
                Blobs.GET, List.of(10_000L), Blobs.into(Destination.into(first, second, third)), SMALL_REPLY);

        int[] sent = peers.server.receive();

        assertThat(sent)
                .startsWith(
                        sent[0], 1, CREDITS, 0, 0, 1, 3, sent[7], 6, sent[9], sent[10], sent[11], 5000, sent[13],
                        sent[14], sent[15], 4994, sent[17], sent[18], 0, 0, sent[0]);
        RemoteSegment one = segment(sent, 7);
        RemoteSegment two = segment(sent, 11);
        peers.server.write(Blobs.pattern(9).slice(0, 6), one);
        peers.server.write(Blobs.pattern(9).slice(6, 3), used(two, 3));
        peers.server.send(Words.header(sent[0], 8, 0)
                .and(0)
                .and(1, 3)
                .and(one)
                .and(used(two, 3))
                .and(used(segment(sent, 15), 0))
                .and(0, 0)
                .reply(sent[0])
                .and(1, 9, 1));
        assertThat(call.await().items().get(0).buffer()).isEqualTo(Blobs.pattern(9));
        assertThat(call.await().items().get(0).pieceCount()).isEqualTo(2);
        assertThat(first).isEqualTo(Blobs.pattern(9).slice(0, 6));
        assertThat(second.slice(0, 3)).isEqualTo(Blobs.pattern(9).slice(6, 3));
    }

    @ParameterizedTest
    @CsvSource({"5, 3, 0", "0, 9, 0", "7, 2, 0", "6, 5000, 4995", "6, 0, 3"})
    void segmentsThatAreNotFilledInOrderAreABadReply(int first, int second, int third) throws Exception {
        Destination pieces = Destination.into(
                ByteBuffer.allocateDirect(6), ByteBuffer.allocateDirect(5000), ByteBuffer.allocate(6000));
        RpcCall<Items> call = peers.client.call(Blobs.GET, List.of(10_000L), Blobs.into(pieces), SMALL_REPLY);
        int[] sent = peers.server.receive();

        peers.server.send(Words.header(sent[0], 8, 0)
                .and(0)
                .and(1, 3)
                .and(used(segment(sent, 7), first))
                .and(used(segment(sent, 11), second))
                .and(used(segment(sent, 15), third))
                .and(0, 0)
                .reply(sent[0])
                .and(1, first + second + third, 1));

        assertFails(call::await, Kind.BAD_REPLY);
    }

    /** Of 1024 bytes, a call has room for some 40 Read segments and a reply for some 60 Write segments. */
    @Test
    void piecesForWhichTheHeaderHasNoRoomAreOneSegment() throws Exception {
        ByteBuffer[] pieces = new ByteBuffer[70];
        Arrays.setAll(pieces, i -> ByteBuffer.allocateDirect(100));
        try (RawPeer plain = new RawPeer(new byte[0]);
                RpcConnection caller = Rpc.connect(plain.listen(), ConnectionOptions.DEFAULT.withCredits(CREDITS))) {
            caller.call(Blobs.PUT, Items.of(Payload.of(pieces)), Destinations.none(), SMALL_REPLY);
            int[] put = plain.receive();
            assertThat(put).startsWith(put[0], 1, CREDITS, 0, 1, 48, put[6], 7000, put[8], put[9], 0, 0, 0, put[0]);
            plain.send(Words.withoutChunks(put[0], 8).reply(put[0]).and(0));

            caller.call(Blobs.GET, List.of(7000L), Blobs.into(Destination.into(pieces)), SMALL_REPLY);
            int[] get = plain.receive();
            assertThat(get).startsWith(get[0], 1, CREDITS, 0, 0, 1, 1, get[7], 7000, get[9], get[10], 0, 0, get[0]);
        }
    }

    @Test
    void readChunksAreInTheOrderOfTheirPositions() throws Exception {
        peers.client.call(
                Blobs.PUT,
                Items.of(Payload.of(Blobs.pattern(9001)), Payload.of(Blobs.pattern(20_000))),
                Destinations.none(),
                SMALL_REPLY);

        int[] call = peers.server.receive();

        int first = 40 + 4 + 4;
        assertThat(call)
                .startsWith(call[0], 1, CREDITS, 0, 1, first, call[6], 9001, call[8], call[9])
                .containsSequence(call[8], call[9], 1, first + 9004 + 4, call[12], 20_000)
                .endsWith(2, 9001, 20_000, 2);
    }

    /**
     * Nine items, of which at most eight may be chunks. The padding of each is sent with the length of the next: two segments for each item, and the
     * stream before the first.
     */
    @Test
    void aLongCallOfSeveralPiecesHasASegmentForEachAtPositionZeroAndNoneForPaddingAlone() throws Exception {
        Payload item = Payload.of(Blobs.pattern(9001));
        peers.client.call(Blobs.PUT, new Items(Collections.nCopies(9, item), 9), Destinations.none(), SMALL_REPLY);

        int[] call = peers.server.receive();

        assertThat(call).startsWith(call[0], 1, CREDITS, 1).endsWith(0, 0, 0);
        int segments = 1 + 2 * 9;
        assertThat(call).hasSize(4 + 6 * segments + 3);
        ByteBuffer message = ByteBuffer.allocateDirect(40 + 4 + 9 * (4 + 9004) + 4);
        int read = 0;
        for (int at = 4; at < 4 + 6 * segments; at += 6) {
            assertThat(call[at]).isEqualTo(1);
            assertThat(call[at + 1]).as("position").isZero();
            RemoteSegment segment = segment(call, at + 2);
            assertThat(segment.length()).isGreaterThan(3);
            assertThat(peers.server.read(message.slice(read, (int) segment.length()), segment))
                    .isEqualTo(Completion.Status.SUCCESS);
            read += (int) segment.length();
        }
        assertThat(read).isEqualTo(message.capacity());
        assertThat(message.getInt(0)).isEqualTo(call[0]);
        for (int i = 0; i < 9; i++) {
            int at = 44 + i * 9008;
            assertThat(message.getInt(at)).isEqualTo(9001);
            assertThat(message.slice(at + 4, 9001)).isEqualTo(Blobs.pattern(9001));
            assertThat(message.getInt(at + 9004) & 0xffffff).as("padding").isZero();
        }
        assertThat(message.getInt(message.capacity() - 4)).isEqualTo(9);
    }

    @Test
    void withoutPrivateDataBothThresholdsAre1024Bytes() throws Exception {
        try (RawPeer plain = new RawPeer(new byte[0]);
                RpcConnection caller = Rpc.connect(plain.listen())) {
            caller.call(Blobs.ECHO, XdrOpaque.of(new byte[1024 - 28 - 44]), Destinations.none(), SMALL_REPLY);
            int[] fitting = plain.receive();
            assertThat(fitting).hasSize(256).startsWith(fitting[0], 1, 64, 0, 0, 0, 0);
            plain.send(Words.withoutChunks(fitting[0], 8).reply(fitting[0]).and(0));

            caller.call(Blobs.ECHO, XdrOpaque.of(new byte[1024 - 28 - 40]), Destinations.none(), SMALL_REPLY);
            assertThat(plain.receive()[3]).as("RDMA_NOMSG").isEqualTo(1);
            caller.call(Blobs.ECHO, NOTHING, Destinations.none(), SMALL_REPLY.withUnboundedReply(600));
            assertThat(plain.receive()[6]).as("Reply chunk").isEqualTo(1);
        }
    }

    @Test
    void afterATimeoutThePeerCanNoLongerWriteIntoTheDestination() throws Exception {
        ByteBuffer data = poisoned(100_000);
        RpcCall<Items> call = peers.client.call(
                Blobs.GET,
                List.of(100_000L),
                Blobs.into(Destination.into(data)),
                SMALL_REPLY.withTimeout(Duration.ofMillis(50)));
        RemoteSegment chunk = segment(peers.server.receive(), 7);

        assertFails(call::await, Kind.TIMED_OUT);

        assertThat(peers.server.write(Blobs.pattern(100_000), chunk)).isNotNull();
        peers.server.awaitEnd();
        assertThat(data).isEqualTo(poisoned(100_000));
    }

    @Test
    void afterACancellationThePeerCanNoLongerReadTheArguments() throws Exception {
        ByteBuffer data = Blobs.pattern(50_000);
        RpcCall<Long> call = peers.client.call(Blobs.PUT, Items.of(Payload.of(data)), Destinations.none(), SMALL_REPLY);
        RemoteSegment chunk = segment(peers.server.receive(), 6);
        call.cancel();
        assertFails(call::await, Kind.CANCELLED);

        ByteBuffer sink = poisoned(50_000);
        assertThat(peers.server.read(sink, chunk)).isNotEqualTo(Completion.Status.SUCCESS);

        assertThat(sink).isEqualTo(poisoned(50_000));
    }

    @Test
    void afterTheReplyThePeerCanNoLongerWriteIntoTheDestination() throws Exception {
        ByteBuffer data = poisoned(100_000);
        RpcCall<Items> call =
                peers.client.call(Blobs.GET, List.of(100_000L), Blobs.into(Destination.into(data)), SMALL_REPLY);
        int[] sent = peers.server.receive();
        RemoteSegment chunk = segment(sent, 7);
        peers.server.write(Blobs.pattern(9), new RemoteSegment(chunk.stag(), chunk.offset(), 9));
        peers.server.send(Words.placed(sent, 8, 9));

        assertThat(call.await().items().get(0).buffer()).isEqualTo(Blobs.pattern(9));
        peers.server.write(Blobs.pattern(100_000), chunk);
        peers.server.awaitEnd();

        assertThat(data.slice(9, 99_991)).isEqualTo(poisoned(99_991));
    }

    @Test
    void aReturnedWriteChunkMayIncludePadding() throws Exception {
        RpcCall<Items> call = peers.get(10_000);
        int[] sent = peers.server.receive();
        RemoteSegment chunk = segment(sent, 7);
        peers.server.write(Blobs.pattern(5), new RemoteSegment(chunk.stag(), chunk.offset(), 5));
        peers.server.send(Words.header(0, 8, 0)
                .and(0)
                .chunk(used(chunk, 8))
                .and(0, 0)
                .reply(0)
                .and(1, 5, 1)
                .withXid(sent[0]));

        assertThat(call.await().items().get(0).buffer()).isEqualTo(Blobs.pattern(5));
    }

    private static ByteBuffer poisoned(int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, POISON);
        }
        return bytes;
    }
}
