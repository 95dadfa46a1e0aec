// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.junit.jupiter.api.Test;

/**
 * The methods of chunk lists that responders use: the STag for a Send with Invalidate, lengths, and returned Write
 * chunks.
 */
final class ChunkListsTest {

    @Test
    void theStagOfAllSegmentsIsFoundInEveryList() {
        assertThat(lists(reads(7), chunk(7, 7), chunk(7)).onlyStag()).hasValue(7);
        assertThat(lists(reads(7, 7), chunk(), chunk()).onlyStag()).hasValue(7);
        assertThat(lists(reads(), chunk(7), chunk()).onlyStag()).hasValue(7);
        assertThat(lists(reads(), chunk(), chunk(7)).onlyStag()).hasValue(7);
    }

    @Test
    void thereIsNoOnlyStagIfSegmentsDiffer() {
        assertThat(lists(reads(7, 8), chunk(), chunk()).onlyStag()).isEmpty();
        assertThat(lists(reads(7), chunk(8), chunk()).onlyStag()).isEmpty();
        assertThat(lists(reads(), chunk(7, 8), chunk()).onlyStag()).isEmpty();
        assertThat(lists(reads(7), chunk(), chunk(8)).onlyStag()).isEmpty();
        assertThat(lists(reads(), chunk(7), chunk(8)).onlyStag()).isEmpty();
    }

    @Test
    void thereIsNoOnlyStagWithoutASegment() {
        assertThat(lists(reads(), chunk(), chunk()).onlyStag()).isEmpty();
        assertThat(ChunkLists.EMPTY.onlyStag()).isEmpty();
    }

    @Test
    void theLengthOfAReadListIsThatOfAllItsSegments() {
        ChunkLists lists =
                new ChunkLists(List.of(readChunk(0, 1, 4294967295L), readChunk(8, 2, 5)), List.of(), Optional.empty());

        assertThat(lists.readLength()).isEqualTo(4294967300L);
    }

    @Test
    void aWriteChunkIsReturnedFilledFromItsFirstSegmentOn() {
        WriteChunk offered = chunk(1, 2, 3);

        assertThat(offered.length()).isEqualTo(300);
        assertThat(lengths(offered.filled(0))).containsExactly(0L, 0L, 0L);
        assertThat(lengths(offered.filled(150))).containsExactly(100L, 50L, 0L);
        assertThat(lengths(offered.filled(300))).containsExactly(100L, 100L, 100L);
    }

    private static List<Long> lengths(WriteChunk chunk) {
        return chunk.segments().stream().map(RemoteSegment::length).toList();
    }

    private static ReadChunk readChunk(long position, int stag, long length) {
        return new ReadChunk(position, List.of(new RemoteSegment(stag, 0, length)));
    }

    private static ChunkLists lists(List<ReadChunk> reads, WriteChunk write, WriteChunk reply) {
        return new ChunkLists(reads, List.of(write), Optional.of(reply));
    }

    private static List<ReadChunk> reads(int... stags) {
        return stags.length == 0 ? List.of() : List.of(new ReadChunk(64, segments(stags)));
    }

    private static WriteChunk chunk(int... stags) {
        return new WriteChunk(segments(stags));
    }

    private static List<RemoteSegment> segments(int... stags) {
        return IntStream.of(stags)
                .mapToObj(stag -> new RemoteSegment(stag, 0, 100))
                .toList();
    }
}
