// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ProcedureBinding.Violation;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.RpcService.AsyncHandling;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of calls and replies between two ends of this implementation. */
final class MessageFormTest {

    /** SWAP with a first result of up to 20,001 bytes. */
    private static final Procedure<Items, Items> BIGGER_SWAP = Procedure.of(
            Blobs.PROGRAM,
            3,
            "SWAP",
            Blobs.SWAP.arguments(),
            Blobs.SWAP.results(),
            ProcedureBinding.<Items, Items>idempotent(args -> 100)
                    .withReadChunks(8)
                    .withWriteChunks(8, Blobs.order(args -> List.of(20_001L)))
                    .withViolation(Violation.ERR_CHUNK));

    /** GET of one item whose length the protocol does not limit. */
    private static final Procedure<List<Long>, Items> UNBOUNDED_GET = Procedure.of(
            Blobs.PROGRAM,
            2,
            "GET",
            Blobs.GET.arguments(),
            Blobs.GET.results(),
            ProcedureBinding.<List<Long>, Items>idempotent(sizes -> 12)
                    .withWriteChunks(8, Blobs.order(sizes -> List.of(ResultOrder.UNBOUNDED))));

    @AutoClose
    private final Peers peers = new Peers(Blobs.service());

    MessageFormTest() throws Exception {}

    @Test
    void aSmallCallAndReplyAreInline() throws Exception {
        XdrOpaque bytes = XdrOpaque.of(new byte[100]);
        CallOptions small = CallOptions.DEFAULT.withUnboundedReplySize(200);

        assertThat(peers.client
                        .call(Blobs.ECHO, bytes, Destinations.none(), small)
                        .await())
                .isEqualTo(bytes);

        CallReport report = peers.report();
        assertThat(report.inlineBytes()).isEqualTo(40 + 104 + 24 + 104);
        assertThat(report.positionZeroBytes() + report.replyChunkBytes()).isZero();
        assertThat(report.succeeded()).isTrue();
    }

    @Test
    void aLargeEligibleArgumentIsReadAsAReadChunk() throws Exception {
        Items args = Items.of(Payload.of(Blobs.pattern(100_000)));

        assertThat(put(args)).isEqualTo(100_000);

        CallReport report = peers.report();
        assertThat(report.readChunkBytes()).isEqualTo(100_000);
        assertThat(report.inlineBytes()).isEqualTo(40 + 12 + 24 + 4);
        assertThat(report.copies()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {8193, 8194, 8195, 65_537})
    void aReadChunkOfOddLengthHasNoPadding(int length) throws Exception {
        assertThat(put(Items.of(Payload.of(Blobs.pattern(length))))).isEqualTo(length);
        assertThat(peers.report().readChunkBytes()).isEqualTo(length);
    }

    @Test
    void onlyAsManyArgumentsAsNecessaryBecomeReadChunksTheLargestFirst() throws Exception {
        Items args = Items.of(
                Payload.of(Blobs.pattern(1001)),
                Payload.of(Blobs.pattern(50_003)),
                Payload.of(Blobs.pattern(2)),
                Payload.of(Blobs.pattern(7901)));

        assertThat(put(args)).isEqualTo(1001 + 50_003 + 2 + 7901);

        CallReport report = peers.report();
        assertThat(report.readChunkBytes()).isEqualTo(50_003 + 7901);
        assertThat(report.copiedBytes()).isEqualTo(1001 + 2);
    }

    @Test
    void anArgumentOfSeveralBuffersIsReadFromThemDirectly() throws Exception {
        ByteBuffer bytes = Blobs.pattern(100_003);
        Payload pieces = Payload.of(bytes.slice(0, 1), bytes.slice(1, 70_001), bytes.slice(70_002, 30_001));

        assertThat(put(Items.of(pieces, Payload.of(Blobs.pattern(9001))))).isEqualTo(100_003 + 9001);

        CallReport report = peers.report();
        assertThat(report.readChunkBytes()).isEqualTo(100_003 + 9001);
        assertThat(report.copies()).isZero();
    }

    /** A header of 8192 bytes has room for some 340 segments. */
    @Test
    void moreBuffersThanTheHeaderHasRoomForAreCopiedIntoOne() throws Exception {
        ByteBuffer bytes = Blobs.pattern(40_000);
        Payload pieces = Payload.of(slices(bytes, 400));
        Payload few = Payload.of(slices(Blobs.pattern(9000), 3));

        assertThat(put(Items.of(few, pieces, few))).isEqualTo(9000 + 40_000 + 9000);

        CallReport report = peers.report();
        assertThat(report.readChunkBytes()).isEqualTo(9000 + 40_000 + 9000);
        assertThat(report.copiedBytes()).isEqualTo(40_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 10_003})
    void itemsOfSeveralBuffersComeBackInSeveralBuffers(int length) throws Exception {
        Payload item = Payload.of(slices(Blobs.pattern(length), 5));
        ByteBuffer first = ByteBuffer.allocateDirect(length / 2);
        ByteBuffer second = ByteBuffer.allocate(1);
        ByteBuffer third = ByteBuffer.allocateDirect(length);
        Destinations destinations = Blobs.into(Destination.into(first, second, third), Destination.allocate());

        Items got = peers.client
                .call(Blobs.SWAP, Items.of(item, item), destinations, CallOptions.DEFAULT)
                .await();

        assertThat(got.items().get(0).pieceCount()).isEqualTo(3);
        assertThat(got.items()).allSatisfy(each -> assertThat(each.buffer()).isEqualTo(Blobs.pattern(length)));
        assertThat(first).isEqualTo(Blobs.pattern(length).slice(0, length / 2));
    }

    /** The service returns a payload of buffers and of an argument that is still in the caller's memory. */
    @Test
    void aResultMayHaveSeveralPieces() throws Exception {
        AsyncHandling<Items, Items> joined = (args, call) -> CompletableFuture.completedFuture(Items.of(
                Payload.of(List.of(args.items().get(0), Payload.of(slices(Blobs.pattern(9000), 7))))));
        try (Peers joining = new Peers(Blobs.service(Blobs.handler(Blobs.SWAP, joined)))) {
            ByteBuffer result = ByteBuffer.allocateDirect(20_001);
            Items args = Items.of(Payload.of(Blobs.pattern(11_001)), Payload.of(Blobs.pattern(0)));

            joining.client
                    .call(BIGGER_SWAP, args, Blobs.into(Destination.into(slices(result, 3))), CallOptions.DEFAULT)
                    .await();

            assertThat(result.slice(0, 11_001)).isEqualTo(Blobs.pattern(11_001));
            assertThat(result.slice(11_001, 9000)).isEqualTo(Blobs.pattern(9000));
            assertThat(joining.report().copies()).isZero();
        }
    }

    /** The limits of a header of 8192 bytes, and of 259 segments, which Linux accepts in a chunk. */
    @Test
    void aDestinationOfMoreBuffersThanAllowedSegmentsIsStaged() throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(100_000);

        Items got = peers.client
                .call(Blobs.GET, List.of(99_999L), Blobs.into(Destination.into(slices(data, 300))), CallOptions.DEFAULT)
                .await();

        assertThat(got.items().get(0).buffer()).isEqualTo(Blobs.pattern(99_999));
        assertThat(data.slice(0, 99_999)).isEqualTo(Blobs.pattern(99_999));
        CallReport report = peers.report();
        assertThat(report.writeChunkBytes()).isEqualTo(99_999);
        assertThat(report.copiedBytes()).isEqualTo(99_999);
    }

    @Test
    void aResultWithoutALimitMayFillItsDestination() throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(100_000);

        peers.client
                .call(UNBOUNDED_GET, List.of(99_999L), Blobs.into(Destination.into(data)), CallOptions.DEFAULT)
                .await();

        assertThat(data.slice(0, 99_999)).isEqualTo(Blobs.pattern(99_999));
        CallReport report = peers.report();
        assertThat(report.writeChunkBytes()).isEqualTo(99_999);
        assertThat(report.copies()).isZero();
    }

    @Test
    void aResultWithoutALimitHasTheMemoryOfUnboundedRepliesIfItsDestinationIsAllocated() throws Exception {
        CallOptions options = CallOptions.DEFAULT.withUnboundedReplySize(50_000);

        Items got = peers.client
                .call(UNBOUNDED_GET, List.of(50_000L), Blobs.into(Destination.allocate()), options)
                .await();

        assertThat(got.items().get(0).buffer()).isEqualTo(Blobs.pattern(50_000));
        assertThat(peers.report().writeChunkBytes()).isEqualTo(50_000);
    }

    @Test
    void anArgumentOnTheHeapIsStagedByOneCopy() throws Exception {
        ByteBuffer heap = ByteBuffer.allocate(9999).put(Blobs.pattern(9999)).flip();

        assertThat(put(Items.of(Payload.of(heap)))).isEqualTo(9999);

        CallReport report = peers.report();
        assertThat(report.readChunkBytes()).isEqualTo(9999);
        assertThat(report.copies()).isEqualTo(1);
        assertThat(report.copiedBytes()).isEqualTo(9999);
    }

    @Test
    void aLongCallAndReplyUsePositionZeroAndReplyChunks() throws Exception {
        byte[] bytes = new byte[60_001];
        Arrays.fill(bytes, (byte) 7);
        XdrOpaque sent = XdrOpaque.of(bytes);

        assertThat(peers.client
                        .call(Blobs.ECHO, sent, Destinations.none(), CallOptions.DEFAULT)
                        .await())
                .isEqualTo(sent);

        CallReport report = peers.report();
        assertThat(report.positionZeroBytes()).isEqualTo(40 + 4 + 60_004);
        assertThat(report.replyChunkBytes()).isEqualTo(24 + 4 + 60_004);
        assertThat(report.inlineBytes()).isZero();
    }

    @Test
    void resultsArePlacedInTheirDestinationsByWriteChunks() throws Exception {
        ByteBuffer first = ByteBuffer.allocateDirect(70_000);
        ByteBuffer third = ByteBuffer.allocate(5_001);
        Destinations destinations =
                Blobs.into(Destination.into(first), Destination.allocate(), Destination.into(third));

        Items got = peers.client
                .call(Blobs.GET, List.of(70_000L, 33L, 5_001L), destinations, CallOptions.DEFAULT)
                .await();

        assertThat(got.tag()).isEqualTo(3);
        assertThat(first).isEqualTo(Blobs.pattern(70_000));
        assertThat(got.items().get(0).buffer()).isEqualTo(first);
        assertThat(got.items().get(1).buffer()).isEqualTo(Blobs.pattern(33));
        assertThat(third).isEqualTo(Blobs.pattern(5_001));
        CallReport report = peers.report();
        assertThat(report.writeChunkBytes()).isEqualTo(70_000 + 33 + 5_001);
        assertThat(report.replyChunkBytes()).isZero();
        assertThat(report.copiedBytes()).isEqualTo(5_001);
    }

    @Test
    void resultsThatFitInlineAreCopiedIntoTheirDestinations() throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(1000);

        peers.client
                .call(Blobs.GET, List.of(1000L), Blobs.into(Destination.into(data)), CallOptions.DEFAULT)
                .await();

        assertThat(data).isEqualTo(Blobs.pattern(1000));
        CallReport report = peers.report();
        assertThat(report.writeChunkBytes()).isZero();
        assertThat(report.copiedBytes()).isEqualTo(1000);
    }

    @Test
    void anArgumentCanBeReturnedAsAResult() throws Exception {
        Items args = Items.of(
                Payload.of(Blobs.pattern(10_001)), Payload.of(Blobs.pattern(0)), Payload.of(Blobs.pattern(20_002)));

        Items got = peers.client
                .call(Blobs.SWAP, args, Destinations.none(), CallOptions.DEFAULT)
                .await();

        assertThat(got.items().get(0).buffer()).isEqualTo(Blobs.pattern(10_001));
        assertThat(got.items().get(1).length()).isZero();
        assertThat(got.items().get(2).buffer()).isEqualTo(Blobs.pattern(20_002));
        CallReport report = peers.report();
        assertThat(report.readChunkBytes()).isEqualTo(30_003);
        assertThat(report.writeChunkBytes()).isEqualTo(30_003);
    }

    /** PUT may have eight Read chunks. If these do not make the call short enough, it is a Long Call without any. */
    @Test
    void callsHaveNoMoreReadChunksThanTheBindingAllows() throws Exception {
        assertThat(put(items(9, 9000))).isEqualTo(9 * 9000);

        CallReport longCall = peers.report();
        assertThat(longCall.readChunkBytes()).isZero();
        assertThat(longCall.positionZeroBytes()).isEqualTo(40 + 4 + 9 * 9004 + 4);

        List<Payload> largeAndSmall = new ArrayList<>(items(8, 9000).items());
        largeAndSmall.addAll(items(3, 100).items());
        assertThat(put(new Items(largeAndSmall, 11))).isEqualTo(8 * 9000 + 300);
        assertThat(peers.report().readChunkBytes()).isEqualTo(8 * 9000);
    }

    /** GET may have eight Write chunks. Further results are in the Reply chunk. */
    @Test
    void callsHaveNoMoreWriteChunksThanTheBindingAllows() throws Exception {
        Items got = peers.client
                .call(Blobs.GET, Collections.nCopies(10, 9001L), Destinations.none(), CallOptions.DEFAULT)
                .await();

        assertThat(got.items())
                .hasSize(10)
                .allSatisfy(item -> assertThat(item.buffer()).isEqualTo(Blobs.pattern(9001)));
        CallReport report = peers.report();
        assertThat(report.writeChunkBytes()).isEqualTo(8 * 9001);
        assertThat(report.replyChunkBytes()).isEqualTo(24 + 4 + 8 * 4 + 2 * 9008 + 4);
    }

    /** All bytes, in this number of buffers. */
    private static ByteBuffer[] slices(ByteBuffer bytes, int count) {
        ByteBuffer[] slices = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) bytes.capacity() * i / count);
            int to = (int) ((long) bytes.capacity() * (i + 1) / count);
            slices[i] = bytes.slice(from, to - from);
        }
        return slices;
    }

    private static Items items(int count, int length) {
        return new Items(Collections.nCopies(count, Payload.of(Blobs.pattern(length))), count);
    }

    private long put(Items args) throws Exception {
        return peers.client
                .call(Blobs.PUT, args, Destinations.none(), CallOptions.DEFAULT)
                .await();
    }
}
