// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.rpcrdma.header.InlineThresholds;
import org.emplace.xdr.EncodedMessage;

/**
 * What a requester provides for the reply of one call, decided from how large the reply can get (RFC 8166 sections 3.4.6 and 3.5.3):
 * nothing if all of it fits into a Send; else a Write chunk for every eligible result; and a Reply chunk if the rest does not fit either.
 *
 * @param writeChunks the size of each Write chunk, in the order of the binding
 * @param replyChunk the size of the Reply chunk, which has one segment; 0 for none
 * @param furtherSegments how many segments the Write chunks may have beyond one each: enough for the pieces of their destinations, or none
 */
record ReplyProvision(List<Long> writeChunks, long replyChunk, int furtherSegments) {

    /** No chunks: the reply comes inline. */
    static final ReplyProvision INLINE = new ReplyProvision(List.of(), 0, 0);

    /** In one call: Linux accepts 259 in a chunk. */
    private static final int MOST_FURTHER_SEGMENTS = 255;

    /** xid, message type, reply_stat, the verifier's flavor and length, accept_stat. */
    private static final int RPC_REPLY_HEADER = 24;

    /** Whether nothing is provided but the Receive. */
    boolean isInline() {
        return writeChunks.isEmpty() && replyChunk == 0;
    }

    ReplyProvision {
        writeChunks = List.copyOf(writeChunks);
    }

    /**
     * Decides for one call.
     *
     * @param eligible the largest size of each eligible result
     * @param verifier the largest body of the reply's verifier
     * @param bound the largest size of the rest of the results
     * @param destinations where the eligible results go
     * @param chunkLimit how many Write chunks may be offered
     * @param thresholds the largest messages that go and come in one Send
     */
    static ReplyProvision of(
            List<Long> eligible,
            int verifier,
            long bound,
            List<Destination> destinations,
            int chunkLimit,
            InlineThresholds thresholds) {
        long message = RPC_REPLY_HEADER + EncodedMessage.roundUp(verifier) + bound;
        long threshold = thresholds.receive();
        if (HeaderSize.reply(0, false) + message + padded(eligible) <= threshold) {
            return INLINE;
        }
        int chunks = Math.min(chunkLimit, eligible.size());
        for (int i = chunks; i < eligible.size(); i++) {
            message += EncodedMessage.roundUp(eligible.get(i));
        }
        long roomInReply = threshold - HeaderSize.reply(chunks, false) - message;
        long replyChunk = 0;
        if (roomInReply < 0) {
            replyChunk = message;
            roomInReply = threshold - HeaderSize.reply(chunks, true);
        }
        // A Long Call has at least one Read segment.
        int roomInCall = thresholds.send() - HeaderSize.call(1, chunks, replyChunk > 0);
        long most = Math.min(MOST_FURTHER_SEGMENTS, Math.min(roomInReply, roomInCall) / HeaderSize.SEGMENT);
        int further = furtherPieces(destinations, chunks);
        List<Long> offered = chunks == eligible.size() ? eligible : eligible.subList(0, chunks);
        return new ReplyProvision(offered, replyChunk, further <= most ? further : 0);
    }

    private static int furtherPieces(List<Destination> destinations, int chunks) {
        int further = 0;
        for (int i = 0; i < Math.min(chunks, destinations.size()); i++) {
            if (destinations.get(i) instanceof Destination.InPieces several) {
                further += several.pieces().size() - 1;
            }
        }
        return further;
    }

    /** The size of the header of a call that offers this and has {@code readSegments} Read segments. */
    int callHeader(int readSegments) {
        return HeaderSize.call(readSegments, writeChunks.size(), replyChunk > 0) + furtherSegments * HeaderSize.SEGMENT;
    }

    /** How many Read segments fit in the header of a call that offers this; negative if not even the rest fits. */
    int mostReadSegments(long room) {
        return (int) Math.floorDiv(room - callHeader(0), (long) HeaderSize.READ_SEGMENT);
    }

    private static long padded(List<Long> sizes) {
        long total = 0;
        for (int i = 0; i < sizes.size(); i++) {
            total += EncodedMessage.roundUp(sizes.get(i));
        }
        return total;
    }
}
