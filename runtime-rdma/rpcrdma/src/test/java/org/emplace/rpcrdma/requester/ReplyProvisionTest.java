// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rpc.Destination;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.emplace.rpcrdma.requester.CallForm.ReplyProvision;
import org.junit.jupiter.api.Test;

/**
 * What a requester provides for replies of different sizes, where 1024 bytes fit into a Send. A header without chunks has 28 bytes, the RPC reply's 24; a
 * Write chunk of one segment takes 24, a further segment 16.
 */
final class ReplyProvisionTest {
    private static final InlineThresholds THRESHOLDS = new InlineThresholds(1024, 1024);
    private static final int ROOM = 1024 - 28 - 24;
    /** Long enough for as many segments as Linux accepts. */
    private static final long LARGE = 300_000;

    @Test
    void nothingIsProvidedForWhatFitsIntoASend() {
        assertThat(provision(List.of(), 0, ROOM, 8)).isEqualTo(ReplyProvision.INLINE);
        assertThat(provision(List.of(), 6, ROOM - 8, 8).isInline()).isTrue();
        assertThat(provision(List.of(98L, 4L), 0, ROOM - 104, 8).isInline()).isTrue();
    }

    @Test
    void aReplyChunkTakesWhatDoesNotFit() {
        assertThat(provision(List.of(), 0, ROOM + 1, 8)).isEqualTo(new ReplyProvision(0, ROOM + 25, 0));
        assertThat(provision(List.of(), 6, ROOM - 7, 8)).isEqualTo(new ReplyProvision(0, ROOM + 25, 0));
        assertThat(provision(List.of(), 0, ROOM + 1, 8).isInline()).isFalse();
    }

    @Test
    void everyEligibleResultHasAWriteChunkIfTheyDoNotAllFit() {
        assertThat(provision(List.of(98L, 4L), 0, ROOM - 103, 8)).isEqualTo(new ReplyProvision(2, 0, 0));
        assertThat(provision(List.of(5000L), 0, ROOM - 24, 8)).isEqualTo(new ReplyProvision(1, 0, 0));
        assertThat(provision(List.of(5000L), 0, 0, 8).isInline()).isFalse();
    }

    @Test
    void thereIsAReplyChunkTooIfTheRestDoesNotFit() {
        assertThat(provision(List.of(5000L), 0, ROOM - 23, 8)).isEqualTo(new ReplyProvision(1, ROOM + 1, 0));
    }

    @Test
    void resultsBeyondTheLimitOfChunksAreOfTheRest() {
        assertThat(provision(List.of(5000L, 501L, 6L), 0, 100, 1)).isEqualTo(new ReplyProvision(1, 0, 0));
        assertThat(provision(List.of(5000L, 2001L, 6L), 0, 100, 1))
                .isEqualTo(new ReplyProvision(1, 24 + 100 + 2004 + 8, 0));
    }

    @Test
    void resultsForWhoseChunksTheHeadersHaveNoRoomAreOfTheRest() {
        int limit = ReplyProvision.chunkLimit(TestPlaces.binding(), THRESHOLDS);
        assertThat(limit).as("beside a Reply chunk and a Read segment").isEqualTo((1024 - 28 - 20 - 24) / 24);
        List<Long> sizes = Collections.nCopies(limit + 11, 20L);
        assertThat(ReplyProvision.inMessage(TestPlaces.of(sizes), limit)).isEqualTo(11 * 20);
    }

    @Test
    void eachPieceOfADestinationHasASegment() {
        assertThat(pieces(ROOM - 24 - 16 * 3, 4)).isEqualTo(3);
        assertThat(pieces(ROOM - 24 - 16 * 3, 1)).isZero();
        assertThat(pieces(0, 3, 4)).as("of two chunks").isEqualTo(5);
    }

    @Test
    void thereAreNoFurtherSegmentsIfTheReplysHeaderHasNoRoomForAll() {
        assertThat(pieces(ROOM - 24 - 16 * 3 + 1, 4)).isZero();
    }

    /** The call's header names each segment, and those of the Reply chunk and one Read chunk. */
    @Test
    void thereAreNoFurtherSegmentsIfTheCallsHeaderHasNoRoomForAll() {
        InlineThresholds narrow = new InlineThresholds(1024, 100_000);
        int most = (1024 - 28 - 24 - 24) / 16;
        assertThat(pieces(narrow, 0, most + 1)).isEqualTo(most);
        assertThat(pieces(narrow, 0, most + 2)).isZero();
        int mostBesideAReplyChunk = (1024 - 28 - 24 - 24 - 20) / 16;
        assertThat(pieces(narrow, 200_000, mostBesideAReplyChunk + 1)).isEqualTo(mostBesideAReplyChunk);
        assertThat(pieces(narrow, 200_000, mostBesideAReplyChunk + 2)).isZero();
    }

    /** A reply in the Reply chunk leaves the Send's room to its header. */
    @Test
    void besideAReplyChunkTheReplysHeaderHasTheSend() {
        InlineThresholds narrow = new InlineThresholds(100_000, 1024);
        int most = (1024 - 28 - 24 - 20) / 16;
        assertThat(pieces(narrow, 200_000, most + 1)).isEqualTo(most);
        assertThat(pieces(narrow, 200_000, most + 2)).isZero();
    }

    @Test
    void thereAreNoMoreFurtherSegmentsThanLinuxAccepts() {
        InlineThresholds wide = new InlineThresholds(100_000, 100_000);
        assertThat(pieces(wide, 0, 256)).isEqualTo(255);
        assertThat(pieces(wide, 0, 257)).isZero();
    }

    @Test
    void chunksWithTooManyPiecesLeaveTheSegmentsToOthers() {
        assertThat(pieces(new InlineThresholds(100_000, 100_000), 0, 200, 100, 50))
                .isEqualTo(199 + 49);
    }

    @Test
    void piecesThatAreTooShortForAnOperationEachAreStaged() {
        List<Long> sizes = List.of(2048L);
        InlineThresholds wide = new InlineThresholds(100_000, 100_000);
        ResultPlaces<?> few = TestPlaces.of(sizes, destination(18, 2048 / 16 + 1));
        ResultPlaces<?> many = TestPlaces.of(sizes, destination(19, 2048 / 16 + 1));

        assertThat(ReplyProvision.of(few, 0, 200_000, 8, wide).furtherSegments())
                .isEqualTo(ReplyProvision.furtherSegments(few.get(0)));
        assertThat(ReplyProvision.of(many, 0, 200_000, 8, wide).furtherSegments())
                .isZero();
    }

    @Test
    void destinationsBeyondTheChunksHaveNoSegments() {
        ReplyProvision one = ReplyProvision.of(
                TestPlaces.of(List.of(200_000L, 4L), destination(3), destination(2)), 0, 0, 1, THRESHOLDS);
        assertThat(one.furtherSegments()).isEqualTo(2);
    }

    @Test
    void theCallsHeaderHasRoomForAllThatIsProvided() {
        ReplyProvision provision = new ReplyProvision(2, 3, 5);
        int empty = 28 + 2 * 24 + 20 + 5 * 16;
        assertThat(provision.callHeader(0)).isEqualTo(empty);
        assertThat(provision.callHeader(2)).isEqualTo(empty + 2 * 24);
        assertThat(new ReplyProvision(1, 0, 0).callHeader(0)).isEqualTo(28 + 24);

        assertThat(provision.mostReadSegments(empty + 47)).isEqualTo(1);
        assertThat(provision.mostReadSegments(empty + 48)).isEqualTo(2);
        assertThat(provision.mostReadSegments(empty - 1)).isEqualTo(-1);
    }

    @Test
    void eachChunkHasTheSizeOfItsResult() {
        ResultPlaces<?> places = TestPlaces.of(List.of(98L, 4L));
        assertThat(places.get(0).size()).isEqualTo(98);
        assertThat(places.get(1).size()).isEqualTo(4);
    }

    private static ReplyProvision provision(List<Long> eligible, int verifier, long bound, int chunkLimit) {
        return ReplyProvision.of(TestPlaces.of(eligible), verifier, bound, chunkLimit, THRESHOLDS);
    }

    private static int pieces(int bound, int... pieces) {
        return pieces(THRESHOLDS, bound, pieces);
    }

    /** The further segments for large results into destinations of so many pieces each. */
    private static int pieces(InlineThresholds thresholds, int bound, int... pieces) {
        Destination[] destinations =
                Arrays.stream(pieces).mapToObj(ReplyProvisionTest::destination).toArray(Destination[]::new);
        List<Long> sizes = Collections.nCopies(pieces.length, LARGE);
        return ReplyProvision.of(TestPlaces.of(sizes, destinations), 0, bound, 8, thresholds)
                .furtherSegments();
    }

    private static Destination destination(int pieces) {
        return destination(pieces, 1500);
    }

    private static Destination destination(int pieces, int length) {
        return Destination.into(IntStream.range(0, pieces)
                .mapToObj(i -> ByteBuffer.allocate(length))
                .toArray(ByteBuffer[]::new));
    }
}
