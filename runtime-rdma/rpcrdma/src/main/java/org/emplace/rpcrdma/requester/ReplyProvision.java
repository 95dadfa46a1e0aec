// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.rpcrdma.header.InlineThresholds;
import org.emplace.xdr.EncodedMessage;

/**
 * The chunks that a requester provides for the reply to one call, depending on the largest possible reply (RFC 8166
 * sections 3.4.6 and 3.5.3): none if it fits inline; otherwise a Write chunk for each eligible result, and a Reply
 * chunk if the rest does not fit inline.
 *
 * @param writeChunks the length in bytes of each Write chunk, in the order of the binding
 * @param replyChunk the length in bytes of the Reply chunk, which has one segment; 0 for none
 * @param furtherSegments the number of segments of the Write chunks beyond one each: enough for the pieces of their
 *     destinations, or 0
 */
record ReplyProvision(List<Long> writeChunks, long replyChunk, int furtherSegments) {

    /** No chunks: the reply is inline. */
    static final ReplyProvision INLINE = new ReplyProvision(List.of(), 0, 0);

    /** The limit for one call. Linux accepts 259 segments in a chunk. */
    private static final int MOST_FURTHER_SEGMENTS = 255;

    /** xid, message type, reply_stat, the verifier's flavor and length, accept_stat. */
    private static final int RPC_REPLY_HEADER = 24;

    /** Whether no chunks are provided. */
    boolean isInline() {
        return writeChunks.isEmpty() && replyChunk == 0;
    }

    ReplyProvision {
        writeChunks = List.copyOf(writeChunks);
    }

    /**
     * Decides for one call. All sizes are in bytes.
     *
     * @param eligible the largest size of each eligible result
     * @param verifier the longest body of the reply's verifier
     * @param bound the largest size of the rest of the results
     * @param destinations the destinations of the eligible results
     * @param chunkLimit the most Write chunks
     * @param thresholds the inline thresholds
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

    /** Returns the length of the header of a call with these chunks and {@code readSegments} Read segments. */
    int callHeader(int readSegments) {
        return HeaderSize.call(readSegments, writeChunks.size(), replyChunk > 0) + furtherSegments * HeaderSize.SEGMENT;
    }

    /**
     * Returns the most Read segments for which the header of a call with these chunks has room; negative if not even
     * the other chunks fit.
     *
     * @param room for the header, in bytes
     */
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
