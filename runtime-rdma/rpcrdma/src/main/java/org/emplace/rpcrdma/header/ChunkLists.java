// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.rdma.RemoteAccess.RemoteSegment;

/**
 * The chunk lists of a header (RFC 8166 section 4.3).
 *
 * @param reads the chunks of the Read list, in ascending order of their positions
 * @param writes the Write list, in the order of the results
 * @param reply the Reply chunk
 */
public record ChunkLists(List<ReadChunk> reads, List<WriteChunk> writes, Optional<WriteChunk> reply) {

    /** The lists without chunks. */
    public static final ChunkLists EMPTY = new ChunkLists(List.of(), List.of(), Optional.empty());

    /** Copies the lists. */
    public ChunkLists {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    /** Whether there are no chunks. */
    public boolean isEmpty() {
        return reads.isEmpty() && offerNothing();
    }

    /** Whether there are no chunks for results: neither Write chunks nor a Reply chunk. */
    public boolean offerNothing() {
        return writes.isEmpty() && reply.isEmpty();
    }

    /** Whether the message itself is in a chunk: the Position Zero Read chunk, the first one of the Read list. */
    public boolean hasPositionZero() {
        return !reads.isEmpty() && reads.get(0).position() == 0;
    }

    /** The total length of the Read list's segments in bytes. */
    public long readLength() {
        long bytes = 0;
        for (int i = 0; i < reads.size(); i++) {
            bytes += reads.get(i).length();
        }
        return bytes;
    }

    /** The STag of all segments; empty if they have different ones, or if there are none. */
    public OptionalInt onlyStag() {
        RemoteSegment first = null;
        for (int i = 0; i <= reads.size() + writes.size(); i++) {
            List<RemoteSegment> chunk = segments(i);
            for (int j = 0; j < chunk.size(); j++) {
                first = first == null ? chunk.get(j) : first;
                if (chunk.get(j).stag() != first.stag()) {
                    return OptionalInt.empty();
                }
            }
        }
        return first == null ? OptionalInt.empty() : OptionalInt.of(first.stag());
    }

    /** The segments of a chunk, by its index in all lists together. The Reply chunk is the last. */
    private List<RemoteSegment> segments(int chunk) {
        if (chunk < reads.size()) {
            return reads.get(chunk).segments();
        }
        int write = chunk - reads.size();
        return write < writes.size()
                ? writes.get(write).segments()
                : reply.map(WriteChunk::segments).orElse(List.of());
    }

    /**
     * The segments of a Read list with the same position: one data item, or the message itself (RFC 8166 section 3.4.5).
     *
     * @param position the offset of the item in the unreduced RPC message, from its xid on; 0 for the message itself
     * @param segments the memory to read, in list order
     */
    public record ReadChunk(long position, List<RemoteSegment> segments) {

        /** Copies the list. */
        public ReadChunk {
            segments = List.copyOf(segments);
        }

        /** The total length of the segments in bytes, which may include the item's padding. */
        public long length() {
            return RemoteSegment.total(segments);
        }
    }

    /**
     * A Write chunk or the Reply chunk (RFC 8166 section 4.3).
     *
     * @param segments those that a requester provides, or that a responder returns with the lengths that it has written;
     *     filled from the first one on
     */
    public record WriteChunk(List<RemoteSegment> segments) {

        /** Copies the list. */
        public WriteChunk {
            segments = List.copyOf(segments);
        }

        /** The total length of the segments in bytes. */
        public long length() {
            return RemoteSegment.total(segments);
        }

        /** Returns this chunk as a responder returns it after writing {@code used} bytes, from the first segment on. */
        public WriteChunk filled(long used) {
            RemoteSegment[] returned = new RemoteSegment[segments.size()];
            long left = used;
            for (int i = 0; i < returned.length; i++) {
                RemoteSegment offered = segments.get(i);
                long taken = Math.min(left, offered.length());
                returned[i] = new RemoteSegment(offered.stag(), offered.offset(), taken);
                left -= taken;
            }
            return new WriteChunk(List.of(returned));
        }
    }
}
