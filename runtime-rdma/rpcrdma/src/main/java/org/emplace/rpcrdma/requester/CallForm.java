// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.EncodedMessage;

/** How a call message travels (RFC 8166 section 3.5). */
sealed interface CallForm {
    /** Of items. */
    Comparator<ChunkMark> LARGEST_FIRST =
            Comparator.comparingLong(ChunkMark::length).reversed();

    /**
     * In the Send, except the items that go as Read chunks: a Short Message if there are none, else a Chunked Message.
     *
     * @param readChunks in message order
     * @param mostSegments how many segments the header has room for in all chunks: at least one for each
     */
    record Inline(List<ChunkMark> readChunks, int mostSegments) implements CallForm {
        /** No item goes as a chunk. */
        static final Inline WHOLE = new Inline(List.of(), 0);
    }

    /** Whether all of the message goes in the Send. */
    default boolean isWhole() {
        return this instanceof Inline inline && inline.readChunks().isEmpty();
    }

    /** A Long Call: the whole unreduced message in the Position Zero Read chunk. */
    record LongCall() implements CallForm {}

    /**
     * Decides for one call: inline if it fits, else with as many eligible items in chunks as necessary, the largest first, else long. Each item
     * counts as one segment; items of several pieces are copied into one if the header has no room for more. A Long
     * Call has no other Read chunks, because Linux 6.1 does not take the two together.
     *
     * @param threshold the largest message that goes in one Send
     * @param chunkLimit how many Read chunks the binding allows
     */
    static CallForm of(EncodedMessage call, ReplyProvision reply, int threshold, int chunkLimit) {
        long message = call.unreducedLength();
        if (reply.callHeader(0) + message <= threshold) {
            return Inline.WHOLE;
        }
        // By identity, since two equal items can stand in one place of the stream.
        Set<ChunkMark> taken = Collections.newSetFromMap(new IdentityHashMap<>(1));
        for (ChunkMark mark : largestFirst(call.marks(), chunkLimit)) {
            if (reply.callHeader(taken.size()) + message <= threshold) {
                break;
            }
            taken.add(mark);
            message -= EncodedMessage.roundUp(mark.length());
        }
        int mostSegments = reply.mostReadSegments(threshold - message);
        return taken.size() <= mostSegments
                ? new Inline(inMessageOrder(taken, call.marks()), mostSegments)
                : new LongCall();
    }

    private static List<ChunkMark> inMessageOrder(Set<ChunkMark> taken, List<ChunkMark> marks) {
        List<ChunkMark> ordered = new ArrayList<>(taken.size());
        for (ChunkMark mark : marks) {
            if (taken.contains(mark)) {
                ordered.add(mark);
            }
        }
        return ordered;
    }

    /** The items that are worth a Read chunk each, as many as there may be. */
    private static List<ChunkMark> largestFirst(List<ChunkMark> marks, int limit) {
        List<ChunkMark> worth = new ArrayList<>(marks.size());
        for (ChunkMark mark : marks) {
            if (mark.eligible() && EncodedMessage.roundUp(mark.length()) > HeaderSize.READ_SEGMENT) {
                worth.add(mark);
            }
        }
        worth.sort(LARGEST_FIRST);
        return worth.size() > limit ? worth.subList(0, limit) : worth;
    }
}
