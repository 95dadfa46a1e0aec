// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.responder.ReplyForm.Gather;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which RDMA Writes place pieces of local memory into a peer's segments. */
final class GatherTest {
    private static final int ID = 7;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final MemoryRegion memory;

    GatherTest() throws Exception {
        memory = provider.register(ByteBuffer.allocateDirect(1000));
    }

    @Test
    void aSegmentTakesAsManyPiecesAsFit() {
        List<MemorySegment> pieces = List.of(memory.segment(0, 10), memory.segment(100, 20));

        assertThat(writes(pieces, chunk(50)))
                .containsExactly(write(0, 50, memory.segment(0, 10), memory.segment(100, 20)));
    }

    @Test
    void aPieceGoesOnInTheNextSegment() {
        List<MemorySegment> pieces = List.of(memory.segment(0, 10), memory.segment(100, 20));

        assertThat(writes(pieces, chunk(15, 5, 50)))
                .containsExactly(
                        write(0, 15, memory.segment(0, 10), memory.segment(100, 5)),
                        write(1, 5, memory.segment(105, 5)),
                        write(2, 50, memory.segment(110, 10)));
    }

    @Test
    void segmentsThatGetNothingAreNotWritten() {
        assertThat(writes(List.of(), chunk(10))).isEmpty();
        assertThat(writes(List.of(memory.segment(0, 10)), chunk(0, 10, 10)))
                .containsExactly(write(1, 10, memory.segment(0, 10)));
    }

    @Test
    void piecesOfNoBytesAreLeftOut() {
        List<MemorySegment> pieces = List.of(memory.segment(0, 0), memory.segment(100, 20));

        assertThat(writes(pieces, chunk(50))).containsExactly(write(0, 50, memory.segment(100, 20)));
    }

    @Test
    void aChunkGetsAllPieces() {
        MemorySegment piece = memory.segment(0, 10);
        MemorySegment another = memory.segment(100, 20);

        assertThat(writes(List.of(piece), chunk(50))).containsExactly(write(0, 50, piece));
        assertThat(writes(List.of(piece, another), chunk(50))).containsExactly(write(0, 50, piece, another));
        assertThat(writes(List.of(piece), chunk(5, 50)))
                .containsExactly(write(0, 5, memory.segment(0, 5)), write(1, 50, memory.segment(5, 5)));
    }

    @Test
    void aChunkIsNotWrittenIfThereAreNoBytes() {
        assertThat(writes(List.of(), chunk(50))).isEmpty();
        assertThat(writes(List.of(memory.segment(0, 0)), chunk(50))).isEmpty();
    }

    @Test
    void aWriteIsNoLongerThanItsSegment() {
        assertThat(writes(List.of(memory.segment(100, 20)), chunk(15)))
                .containsExactly(write(0, 15, memory.segment(100, 15)));
    }

    private static List<WorkRequest> writes(List<MemorySegment> pieces, WriteChunk chunk) {
        List<WorkRequest> writes = new ArrayList<>();
        Gather.write(pieces, chunk, ID, writes);
        return writes;
    }

    private static WorkRequest write(int target, long length, MemorySegment... pieces) {
        return new WorkRequest.Write(ID, List.of(pieces), new RemoteSegment(target, 0, length));
    }

    /** Its segments have their indexes for STags. */
    private static WriteChunk chunk(long... lengths) {
        int[] stag = {0};
        return new WriteChunk(LongStream.of(lengths)
                .mapToObj(length -> new RemoteSegment(stag[0]++, 0, length))
                .toList());
    }
}
