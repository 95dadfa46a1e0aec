// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.emplace.rpc.Destination;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Place;
import org.emplace.rpcrdma.header.ChunkLimits;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.emplace.rpcrdma.header.HeaderCodec.HeaderSize;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;

/** How a call message is sent (RFC 8166 section 3.5). */
sealed interface CallForm {
    /** Orders items by their length. */
    Comparator<ChunkMark> LARGEST_FIRST =
            Comparator.comparingLong(ChunkMark::length).reversed();

    /**
     * Inline, except for the items in Read chunks: a Short Message if there are none, otherwise a Chunked Message.
     *
     * @param readChunks the items in Read chunks, in message order
     * @param mostSegments the most segments of all these chunks for which the header has room: at least one for each
     *     chunk
     */
    record Inline(List<ChunkMark> readChunks, int mostSegments) implements CallForm {
        /** A message without Read chunks. */
        static final Inline WHOLE = new Inline(List.of(), 0);
    }

    /** Whether the whole message is inline. */
    default boolean isWhole() {
        return this instanceof Inline inline && inline.readChunks().isEmpty();
    }

    /** A Long Call: the whole unreduced message in the Position Zero Read chunk. */
    record LongCall() implements CallForm {}

    /**
     * Decides how to send a call: inline if it fits; otherwise with as many eligible items in Read chunks as necessary,
     * the largest first; otherwise as a Long Call. Each item counts as one segment; an item with several pieces is
     * copied into one segment if the header has no room for more. A Long Call has no other Read chunks, because Linux
     * 6.1 does not accept both together.
     *
     * @param threshold the inline threshold in bytes
     * @param chunkLimit the most Read chunks that the binding allows
     */
    static CallForm of(EncodedMessage call, ReplyProvision reply, int threshold, int chunkLimit) {
        long message = call.unreducedLength();
        if (reply.callHeader(0) + message <= threshold) {
            return Inline.WHOLE;
        }
        List<ChunkMark> worth = worthAChunk(call.marks());
        List<ChunkMark> largest = largestFirst(worth, chunkLimit);
        int taken = 0;
        while (taken < largest.size() && reply.callHeader(taken) + message > threshold) {
            message -= EncodedMessage.roundUp(largest.get(taken++).length());
        }
        int mostSegments = reply.mostReadSegments(threshold - message);
        if (taken > mostSegments) {
            return new LongCall();
        }
        List<ChunkMark> chunks = taken == worth.size() ? worth : inMessageOrder(largest.subList(0, taken), worth);
        return new Inline(chunks, mostSegments);
    }

    private static List<ChunkMark> inMessageOrder(List<ChunkMark> taken, List<ChunkMark> marks) {
        // Compares by identity, because two equal items can be at the same offset of the stream.
        Set<ChunkMark> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
        wanted.addAll(taken);
        List<ChunkMark> ordered = new ArrayList<>(taken.size());
        for (ChunkMark mark : marks) {
            if (wanted.contains(mark)) {
                ordered.add(mark);
            }
        }
        return ordered;
    }

    /** The items for which a Read chunk saves space, in message order. */
    private static List<ChunkMark> worthAChunk(List<ChunkMark> marks) {
        List<ChunkMark> worth = new ArrayList<>(marks.size());
        for (int i = 0; i < marks.size(); i++) {
            ChunkMark mark = marks.get(i);
            if (mark.eligible() && EncodedMessage.roundUp(mark.length()) > HeaderSize.READ_SEGMENT) {
                worth.add(mark);
            }
        }
        return worth;
    }

    /** As many of the items as allowed, the largest first. */
    private static List<ChunkMark> largestFirst(List<ChunkMark> items, int limit) {
        if (items.size() == 1 && limit > 0) {
            return items;
        }
        return items.stream().sorted(LARGEST_FIRST).limit(limit).toList();
    }

    /**
     * The chunks that a requester provides for the reply to one call, depending on the largest possible reply (RFC 8166
     * sections 3.4.6 and 3.5.3): none if it fits inline; otherwise a Write chunk for each eligible result, and a Reply
     * chunk if the rest does not fit inline.
     *
     * @param writeChunks the number of Write chunks, for the first places of the results
     * @param replyChunk the length in bytes of the Reply chunk, which has one segment; 0 for none
     * @param furtherSegments the number of segments of the Write chunks beyond one each, for the pieces of their
     *     destinations and for staging memory behind them. The first chunks for which it is enough have them; each of the
     *     others is staged as one segment
     */
    record ReplyProvision(int writeChunks, long replyChunk, int furtherSegments) {

        /** No chunks: the reply is inline. */
        static final ReplyProvision INLINE = new ReplyProvision(0, 0, 0);

        /** The limit for one call. Linux accepts 259 segments in a chunk. */
        private static final int MOST_FURTHER_SEGMENTS = 255;

        /** xid, message type, reply_stat, the verifier's flavor and length, accept_stat. */
        private static final int RPC_REPLY_HEADER = 24;

        /** Whether no chunks are provided. */
        boolean isInline() {
            return writeChunks == 0 && replyChunk == 0;
        }

        /** The most Write chunks of a call, as its binding and the headers permit. */
        static int chunkLimit(ProcedureBinding<?, ?> binding, InlineThresholds thresholds) {
            int fitting = HeaderSize.mostWriteChunks(Math.min(thresholds.send(), thresholds.receive()));
            return binding.resultsEligible() ? Math.min(binding.writeChunkLimit(), fitting) : 0;
        }

        /**
         * The most bytes of eligible results in the message of a reply that has Write chunks.
         *
         * @param chunkLimit the most Write chunks
         */
        static long inMessage(ResultPlaces<?> places, int chunkLimit) {
            return Math.min(places.unplacedBytes(Math.min(chunkLimit, places.affordable())), places.mostUnplaced());
        }

        /**
         * Decides for one call. All sizes are in bytes.
         *
         * @param places where the eligible results go
         * @param verifier the longest body of the reply's verifier
         * @param bound the largest size of the rest of the results
         * @param chunkLimit the most Write chunks
         * @param thresholds the inline thresholds
         */
        static ReplyProvision of(
                ResultPlaces<?> places, int verifier, long bound, int chunkLimit, InlineThresholds thresholds) {
            long message = RPC_REPLY_HEADER + EncodedMessage.roundUp(verifier) + bound;
            long threshold = thresholds.receive();
            if (HeaderSize.reply(0, false) + message + places.unplacedBytes(0) <= threshold) {
                return INLINE;
            }
            int chunks = Math.min(chunkLimit, places.affordable());
            message += inMessage(places, chunks);
            long roomInReply = threshold - HeaderSize.reply(chunks, false) - message;
            long replyChunk = 0;
            if (roomInReply < 0) {
                replyChunk = message;
                roomInReply = threshold - HeaderSize.reply(chunks, true);
            }
            // A Long Call has at least one Read segment.
            int roomInCall = thresholds.send() - HeaderSize.call(1, chunks, replyChunk > 0);
            long most = Math.min(MOST_FURTHER_SEGMENTS, Math.min(roomInReply, roomInCall) / HeaderSize.SEGMENT);
            int further = 0;
            for (int i = 0; i < chunks; i++) {
                int ofChunk = furtherSegments(places.get(i));
                further += further + ofChunk <= most && areWorthIt(places.get(i)) ? ofChunk : 0;
            }
            return new ReplyProvision(chunks, replyChunk, further);
        }

        /** Whether a responder accepts the pieces of a place as segments; if not, they are staged. */
        static boolean areWorthIt(Place place) {
            return 1 + furtherSegments(place) <= ChunkLimits.mostSegments(place.size());
        }

        /** The number of segments beyond the first one that a Write chunk needs if nothing is to be copied. */
        static int furtherSegments(Place place) {
            int pieces = place.destination() instanceof Destination.InPieces several
                    ? several.pieces().size()
                    : 1;
            return pieces - 1 + (place.size() > place.room() ? 1 : 0);
        }

        /** Returns the length of the header of a call with these chunks and {@code readSegments} Read segments. */
        int callHeader(int readSegments) {
            return HeaderSize.call(readSegments, writeChunks, replyChunk > 0) + furtherSegments * HeaderSize.SEGMENT;
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
    }
}
