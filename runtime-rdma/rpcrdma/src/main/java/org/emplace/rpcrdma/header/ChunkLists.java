// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteSegment;

/**
 * The three chunk lists of a header (RFC 5666bis section 5.2).
 *
 * @param reads the Read list; the entries of one chunk need not stand together
 * @param writes the Write list, in the order of the results that take its chunks
 * @param reply the Reply chunk
 */
public record ChunkLists(List<ReadSegment> reads, List<WriteChunk> writes, Optional<WriteChunk> reply) {

    /** No chunks at all. */
    public static final ChunkLists EMPTY = new ChunkLists(List.of(), List.of(), Optional.empty());

    /** Copies the lists. */
    public ChunkLists {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    /** Whether there is no chunk of any kind. */
    public boolean isEmpty() {
        return reads.isEmpty() && writes.isEmpty() && reply.isEmpty();
    }

    /** The bytes of the Read list's segments. */
    public long readLength() {
        return reads.stream().mapToLong(segment -> segment.target().length()).sum();
    }

    /** The distinct STags of all segments. */
    public IntStream stags() {
        return Stream.of(
                        reads.stream().map(ReadSegment::target),
                        writes.stream().flatMap(chunk -> chunk.segments().stream()),
                        reply.stream().flatMap(chunk -> chunk.segments().stream()))
                .flatMap(segments -> segments)
                .mapToInt(RemoteSegment::stag)
                .distinct();
    }
}
