// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLimits.Rules;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.junit.jupiter.api.Test;

/** Which chunk lists of a call a responder accepts, and what it says of the others. */
final class ChunkRulesTest {
    private static final int MAXIMUM = 1000;

    private final Rules forward = new Rules(true, MAXIMUM);
    private final Rules backward = new Rules(false, MAXIMUM);

    @Test
    void callsMayHaveNoChunksInBothDirections() {
        assertThat(forward.brokenByMessage(ChunkLists.EMPTY)).isEmpty();
        assertThat(backward.brokenByMessage(ChunkLists.EMPTY)).isEmpty();
    }

    @Test
    void inBackwardDirectionThereAreNoChunks() {
        assertThat(backward.brokenByMessage(reads(64, 100))).hasValue("chunks in the backward direction");
        assertThat(backward.brokenByNoMessage(reads(0, 100))).hasValue("chunks in the backward direction");
    }

    @Test
    void thePositionZeroReadChunkIsForMessagesThatAreNotInTheSend() {
        assertThat(forward.brokenByNoMessage(reads(0, 100))).isEmpty();
        assertThat(forward.brokenByMessage(reads(0, 100))).hasValue("RDMA_MSG with a Position Zero Read chunk");
        assertThat(forward.brokenByMessage(reads(64, 100))).isEmpty();
        assertThat(forward.brokenByNoMessage(reads(64, 100))).hasValue("RDMA_NOMSG without a Position Zero Read chunk");
        assertThat(forward.brokenByNoMessage(ChunkLists.EMPTY))
                .hasValue("RDMA_NOMSG without a Position Zero Read chunk");
    }

    @Test
    void positionsAreMultiplesOfFour() {
        assertThat(forward.brokenByMessage(reads(66, 100)))
                .hasValue("a Read chunk at position 66, which is not a multiple of four");
    }

    @Test
    void readChunksAreNoLongerThanAMessageMayBe() {
        assertThat(forward.brokenByMessage(reads(64, MAXIMUM))).isEmpty();
        assertThat(forward.brokenByMessage(reads(64, MAXIMUM + 1)))
                .hasValue("Read chunks of 1001 bytes, at most 1000 are accepted");
    }

    /** A Write chunk of no segments wants its result inline; without segments there is no Reply chunk. */
    @Test
    void chunksHaveAsManySegmentsAsLinuxTakes() {
        assertThat(forward.brokenByMessage(write(0, 4096))).isEmpty();
        assertThat(forward.brokenByMessage(write(259, 4096))).isEmpty();
        assertThat(forward.brokenByMessage(write(260, 4096)))
                .hasValue("a Write chunk of 260 segments, 259 at most are accepted");
        assertThat(forward.brokenByMessage(reply(0, 4096))).hasValue("a Reply chunk of no segments");
        assertThat(forward.brokenByMessage(reply(1, 4096))).isEmpty();
        assertThat(forward.brokenByMessage(reply(259, 4096))).isEmpty();
        assertThat(forward.brokenByMessage(reply(260, 4096)))
                .hasValue("a Reply chunk of 260 segments, 259 at most are accepted");
    }

    /** Each segment costs an RDMA operation. */
    @Test
    void aChunkOfManySegmentsHasManyBytes() {
        assertThat(forward.brokenByMessage(readsOf(17, 60)))
                .hasValue("a Read chunk of 17 segments for 1020 bytes, 16 at most are accepted");
        assertThat(forward.brokenByMessage(readsOf(16, 1))).isEmpty();
        assertThat(forward.brokenByMessage(write(31, 500))).isEmpty();
        assertThat(forward.brokenByMessage(write(40, 500)))
                .hasValue("a Write chunk of 40 segments for 20000 bytes, 35 at most are accepted");
        assertThat(forward.brokenByMessage(reply(17, 1)))
                .hasValue("a Reply chunk of 17 segments for 17 bytes, 16 at most are accepted");
    }

    private static ChunkLists reads(long position, long length) {
        return new ChunkLists(
                List.of(new ReadChunk(position, List.of(new RemoteSegment(1, 0, length)))),
                List.of(),
                Optional.empty());
    }

    private static ChunkLists readsOf(int segments, int length) {
        return new ChunkLists(
                List.of(new ReadChunk(64, Collections.nCopies(segments, new RemoteSegment(1, 0, length)))),
                List.of(),
                Optional.empty());
    }

    private static ChunkLists write(int segments, int length) {
        return new ChunkLists(List.of(), List.of(chunk(segments, length)), Optional.empty());
    }

    private static ChunkLists reply(int segments, int length) {
        return new ChunkLists(List.of(), List.of(), Optional.of(chunk(segments, length)));
    }

    private static WriteChunk chunk(int segments, int length) {
        return new WriteChunk(Collections.nCopies(segments, new RemoteSegment(1, 0, length)));
    }
}
