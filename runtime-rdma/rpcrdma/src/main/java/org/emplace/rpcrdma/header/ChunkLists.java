// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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

    private static final WriteChunk NO_CHUNK = new WriteChunk(List.of());

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
        for (int i = 0; i < reads.size(); i++) {
            bytes += reads.get(i).target().length();
        }
        return bytes;
    }

    /** The STag of all segments, if they have only one. */
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
