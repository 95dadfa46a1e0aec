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
 * How a reply travels with the chunks that its call offered (RFC 8166 sections 3.4.6, 3.5 and 4.3).
 *
 * @param placed the eligible results that go by Write chunks, in order
 * @param pieces the rest of the message
 * @param header with every Write chunk returned; an {@link Header.NoMessage} if the rest goes into the Reply chunk
 */
record ReplyForm(List<Placement> placed, List<MessagePiece> pieces, Header header) {

    /** An eligible result and the Write chunk that takes it. */
    record Placement(ChunkMark item, WriteChunk chunk) {}

    /**
     * Decides for one reply: the n-th eligible result goes by the n-th Write chunk whatever its size, if there is one and it has segments (RFC
     * 8267 section 6.4.1); the rest goes into the Reply chunk where there is one, as Linux has it, else inline.
     *
     * @param threshold the largest message that goes in one Send
     * @return empty if the reply fits nothing that was offered
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
