// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.emplace.rdma.RemoteSegment;
import org.junit.jupiter.api.Test;

/** A Send with Invalidate names one STag: that of a call's chunks, if they have only one. */
final class ChunkListsTest {

    @Test
    void theStagOfAllSegmentsIsFoundInEveryList() {
        assertThat(lists(reads(7), chunk(7, 7), chunk(7)).onlyStag()).hasValue(7);
        assertThat(lists(reads(7, 7), chunk(), chunk()).onlyStag()).hasValue(7);
        assertThat(lists(reads(), chunk(7), chunk()).onlyStag()).hasValue(7);
        assertThat(lists(reads(), chunk(), chunk(7)).onlyStag()).hasValue(7);
    }

    @Test
    void thereIsNoOnlyStagWhereSegmentsDiffer() {
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

    private static ChunkLists lists(List<ReadSegment> reads, WriteChunk write, WriteChunk reply) {
        return new ChunkLists(reads, List.of(write), Optional.of(reply));
    }

    private static List<ReadSegment> reads(int... stags) {
        return segments(stags).stream()
                .map(segment -> new ReadSegment(64, segment))
                .toList();
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
