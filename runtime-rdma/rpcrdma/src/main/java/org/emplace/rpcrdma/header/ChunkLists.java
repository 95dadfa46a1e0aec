// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.rdma.RemoteSegment;

/**
 * The chunk lists of a header (RFC 8166 section 4.3).
 *
 * @param reads the Read list; the segments of one chunk need not be adjacent
 * @param writes the Write list, in the order of the results
 * @param reply the Reply chunk
 */
public record ChunkLists(List<ReadSegment> reads, List<WriteChunk> writes, Optional<WriteChunk> reply) {

    /** The lists without chunks. */
    public static final ChunkLists EMPTY = new ChunkLists(List.of(), List.of(), Optional.empty());

    private static final WriteChunk NO_CHUNK = new WriteChunk(List.of());

    /** Copies the lists. */
    public ChunkLists {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    /** Whether there are no chunks. */
    public boolean isEmpty() {
        return reads.isEmpty() && writes.isEmpty() && reply.isEmpty();
    }

    /** The total length of the Read list's segments in bytes. */
    public long readLength() {
        long bytes = 0;
        for (int i = 0; i < reads.size(); i++) {
            bytes += reads.get(i).target().length();
        }
        return bytes;
    }

    /** The STag of all segments; empty if they have different ones, or if there are none. */
    public OptionalInt onlyStag() {
        RemoteSegment first = null;
        for (int i = 0; i < reads.size(); i++) {
            RemoteSegment target = reads.get(i).target();
            first = first == null ? target : first;
            if (target.stag() != first.stag()) {
                return OptionalInt.empty();
            }
        }
        for (int i = 0; i <= writes.size(); i++) {
            WriteChunk chunk = i < writes.size() ? writes.get(i) : reply.orElse(NO_CHUNK);
            for (int j = 0; j < chunk.segments().size(); j++) {
                RemoteSegment segment = chunk.segments().get(j);
                first = first == null ? segment : first;
                if (segment.stag() != first.stag()) {
                    return OptionalInt.empty();
                }
            }
        }
        return first == null ? OptionalInt.empty() : OptionalInt.of(first.stag());
    }
}
