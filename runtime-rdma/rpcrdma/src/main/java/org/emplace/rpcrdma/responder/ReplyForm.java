// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.rpcrdma.header.WriteChunk;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.EncodedMessage;
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
}
