// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteSegment;

/** The three chunk lists of a header (RFC 5666bis section 5.2). */
record ChunkLists(List<ReadSegment> reads, List<WriteChunk> writes, Optional<WriteChunk> reply) {

    /** No chunks at all. */
    static final ChunkLists EMPTY = new ChunkLists(List.of(), List.of(), Optional.empty());

    ChunkLists {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    boolean isEmpty() {
        return reads.isEmpty() && writes.isEmpty() && reply.isEmpty();
    }

    /** The distinct STags of all segments. */
    IntStream stags() {
        return Stream.of(
                        reads.stream().map(ReadSegment::target),
                        writes.stream().flatMap(chunk -> chunk.segments().stream()),
                        reply.stream().flatMap(chunk -> chunk.segments().stream()))
                .flatMap(segments -> segments)
                .mapToInt(RemoteSegment::stag)
                .distinct();
    }
}
