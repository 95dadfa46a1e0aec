// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec.HeaderSize;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.jspecify.annotations.Nullable;

/**
 * How a reply is sent, given the chunks of its call (RFC 8166 sections 3.4.6, 3.5 and 4.3).
 *
 * @param placed the eligible results to write into the Write chunks that have segments, in order
 * @param header the header, which returns every Write chunk; a {@link Header.NoMessage} if the rest is written into the
 *     Reply chunk
 */
record ReplyForm(List<ChunkMark> placed, Header header) {

    /**
     * Decides how to send a reply. The n-th eligible result, whatever its size, is written into the n-th Write chunk,
     * if that exists and has segments (RFC 8267 section 6.4.1). The rest is written into the Reply chunk if there is
     * one, as Linux does; otherwise it is sent inline.
     *
     * @param threshold the inline threshold in bytes
     * @return null if the reply fits neither inline nor in the chunks
     */
    static @Nullable ReplyForm of(EncodedMessage reply, ChunkLists offered, int xid, int credits, int threshold) {
        List<WriteChunk> chunks = offered.writes();
        List<ChunkMark> items = reply.marks();
        List<ChunkMark> placed = new ArrayList<>(chunks.size());
        WriteChunk[] returned = new WriteChunk[chunks.size()];
        int next = 0;
        for (int i = 0; i < returned.length; i++) {
            WriteChunk chunk = chunks.get(i);
            while (next < items.size() && !items.get(next).eligible()) {
                next++;
            }
            ChunkMark item = next < items.size() ? items.get(next++) : null;
            if (item == null || chunk.segments().isEmpty()) {
                returned[i] = chunk.filled(0);
                continue;
            }
            if (item.length() > chunk.length()) {
                return null;
            }
            placed.add(item);
            returned[i] = chunk.filled(item.length());
        }
        List<WriteChunk> writes = List.of(returned);
        long rest = reply.lengthWithout(placed);
        Optional<WriteChunk> replyChunk = offered.reply();
        if (replyChunk.isPresent() && rest <= replyChunk.get().length()) {
            ChunkLists lists = new ChunkLists(
                    List.of(), writes, Optional.of(replyChunk.get().filled(rest)));
            return HeaderSize.of(lists) <= threshold
                    ? new ReplyForm(placed, new Header.NoMessage(xid, credits, lists))
                    : null;
        }
        ChunkLists lists = new ChunkLists(List.of(), writes, replyChunk.map(unused -> unused.filled(0)));
        return HeaderSize.of(lists) + rest <= threshold
                ? new ReplyForm(placed, new Header.Message(xid, credits, lists))
                : null;
    }

    /** Writes pieces of local memory into remote memory with different pieces. */
    static final class Gather {
        private Gather() {}

        /**
         * Adds RDMA Writes of the pieces into the segments of a chunk, in order, as far as the chunk has room. Adds none if there are no bytes. Usually
         * there is one piece and one segment.
         *
         * @param work takes the Writes
         */
        static void write(List<MemorySegment> pieces, WriteChunk chunk, int id, List<WorkRequest> work) {
            if (pieces.size() == 1 && chunk.segments().size() == 1) {
                RemoteSegment target = chunk.segments().get(0);
                int length = pieces.get(0).length();
                if (length > 0 && length <= target.length()) {
                    work.add(new WorkRequest.Write(id, pieces, target));
                    return;
                }
            }
            Deque<MemorySegment> left = new ArrayDeque<>(pieces);
            for (int i = 0; i < chunk.segments().size(); i++) {
                RemoteSegment target = chunk.segments().get(i);
                List<MemorySegment> taken = split(left, target.length());
                if (!taken.isEmpty()) {
                    work.add(new WorkRequest.Write(id, taken, target));
                }
            }
        }

        /** Removes and returns the first pieces, or parts of them, for which there is room. */
        private static List<MemorySegment> split(Deque<MemorySegment> left, long room) {
            List<MemorySegment> taken = new ArrayList<>(1);
            long free = room;
            while (free > 0 && !left.isEmpty()) {
                MemorySegment first = left.pop();
                int fitting = (int) Math.min(free, first.length());
                if (fitting > 0) {
                    taken.add(part(first, 0, fitting));
                }
                if (fitting < first.length()) {
                    left.push(part(first, fitting, first.length() - fitting));
                }
                free -= fitting;
            }
            return taken;
        }

        /** Returns a segment or a part of it. */
        static MemorySegment part(MemorySegment whole, int offset, int length) {
            return length == whole.length() ? whole : whole.region().segment(whole.offset() + offset, length);
        }
    }
}
