// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
}
