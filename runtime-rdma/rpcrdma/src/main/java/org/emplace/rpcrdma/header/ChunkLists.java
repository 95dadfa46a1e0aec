// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteSegment;

/**
 * The three chunk lists of a header (RFC 8166 section 4.3).
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
        long bytes = 0;
        for (ReadSegment read : reads) {
            bytes += read.target().length();
        }
        return bytes;
    }

    /** The STag of all segments, if they have only one. */
    public OptionalInt onlyStag() {
        Stream<RemoteSegment> read = reads.stream().map(ReadSegment::target);
        Stream<RemoteSegment> written =
                Stream.concat(writes.stream(), reply.stream()).flatMap(chunk -> chunk.segments().stream());
        int[] stags = Stream.concat(read, written)
                .mapToInt(RemoteSegment::stag)
                .distinct()
                .limit(2)
                .toArray();
        return stags.length == 1 ? OptionalInt.of(stags[0]) : OptionalInt.empty();
    }
}
