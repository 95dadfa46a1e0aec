// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.rpcrdma.header.WriteChunk;
import org.emplace.rpcrdma.memory.MessagePiece;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.EncodedMessage;

/**
 * How a reply is sent, given the chunks of its call (RFC 8166 sections 3.4.6, 3.5 and 4.3).
 *
 * @param placed the eligible results to write into Write chunks, in order
 * @param pieces the rest of the message
 * @param header the header, which returns every Write chunk; a {@link Header.NoMessage} if the rest is written into the
 *     Reply chunk
 */
record ReplyForm(List<Placement> placed, List<MessagePiece> pieces, Header header) {

    /** An eligible result and its Write chunk. */
    record Placement(ChunkMark item, WriteChunk chunk) {}

    /**
     * Decides how to send a reply. The n-th eligible result, whatever its size, is written into the n-th Write chunk,
     * if that exists and has segments (RFC 8267 section 6.4.1). The rest is written into the Reply chunk if there is
     * one, as Linux does; otherwise it is sent inline.
     *
     * @param threshold the inline threshold in bytes
     * @return empty if the reply fits neither inline nor in the chunks
     */
    static Optional<ReplyForm> of(EncodedMessage reply, ChunkLists offered, int xid, int credits, int threshold) {
        List<ChunkMark> eligible = offered.writes().isEmpty() ? List.of() : eligible(reply.marks());
        List<Placement> placed = new ArrayList<>(eligible.size());
        List<ChunkMark> taken = new ArrayList<>(eligible.size());
        List<WriteChunk> returned = new ArrayList<>(offered.writes().size());
        for (int i = 0; i < offered.writes().size(); i++) {
            WriteChunk chunk = offered.writes().get(i);
            if (i >= eligible.size() || chunk.segments().isEmpty()) {
                returned.add(chunk.filled(0));
                continue;
            }
            Placement placement = new Placement(eligible.get(i), chunk);
            if (placement.item().length() > chunk.length()) {
                return Optional.empty();
            }
            placed.add(placement);
            taken.add(placement.item());
            returned.add(chunk.filled(placement.item().length()));
        }
        List<MessagePiece> pieces = MessagePiece.of(reply, taken);
        long length = MessagePiece.length(pieces);
        Optional<WriteChunk> replyChunk = offered.reply();
        if (replyChunk.isPresent() && length <= replyChunk.get().length()) {
            ChunkLists lists = new ChunkLists(
                    List.of(), returned, Optional.of(replyChunk.get().filled(length)));
            Header header = new Header.NoMessage(xid, credits, lists);
            return HeaderSize.of(lists) <= threshold
                    ? Optional.of(new ReplyForm(placed, pieces, header))
                    : Optional.empty();
        }
        ChunkLists lists = new ChunkLists(List.of(), returned, replyChunk.map(unused -> unused.filled(0)));
        return HeaderSize.of(lists) + length <= threshold
                ? Optional.of(new ReplyForm(placed, pieces, new Header.Message(xid, credits, lists)))
                : Optional.empty();
    }

    private static List<ChunkMark> eligible(List<? extends ChunkMark> marks) {
        List<ChunkMark> eligible = new ArrayList<>(marks.size());
        for (ChunkMark mark : marks) {
            if (mark.eligible()) {
                eligible.add(mark);
            }
        }
        return eligible;
    }
}
