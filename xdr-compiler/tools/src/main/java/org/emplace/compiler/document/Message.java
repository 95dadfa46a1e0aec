// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.List;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.ChunkPosition;

/**
 * A call or a reply with the chunks that the binding allows.
 *
 * @param isCall whether it is a call
 * @param pieces the parts after the RPC header, in stream order
 * @param positions which eligible items of a reply each of the first Write chunks can take
 * @param inline the largest encoded size of the parts that are not eligible
 * @param chunkLimit the most chunks for eligible items
 * @param limits of the version's connections
 */
record Message(
        boolean isCall, List<Piece> pieces, List<ChunkPosition> positions, Size inline, int chunkLimit, Limits limits) {

    /**
     * The limits of a version's connections.
     *
     * @param threshold the inline threshold to compare with, in bytes
     * @param isBackward whether messages go in the backward direction, without chunks
     */
    record Limits(int threshold, boolean isBackward) {}

    /** The size of an RPC-over-RDMA version 1 header with three empty lists. */
    static final int TRANSPORT_HEADER = 28;

    /** The size that a chunk with one segment adds to it. */
    static final int CHUNK = 24;

    private static final int CALL_HEADER = 40;
    private static final int REPLY_HEADER = 24;

    /** A part of a message. */
    sealed interface Piece {

        /** A part that always stays in the stream. */
        record Inline(List<String> names, Size largest) implements Piece {}

        /**
         * An eligible item.
         *
         * @param number of the item among all, from 1
         */
        record Chunk(EligibleItem item, int number) implements Piece {}
    }

    /** The eligible items. */
    List<Piece.Chunk> chunks() {
        return pieces.stream()
                .filter(Piece.Chunk.class::isInstance)
                .map(Piece.Chunk.class::cast)
                .toList();
    }

    /** Whether the n-th eligible item has the n-th chunk in every message that has it. */
    boolean isFixed() {
        return chunks().stream().noneMatch(chunk -> chunk.item().isRepeated())
                && positions.stream()
                        .allMatch(each ->
                                each.owners().size() == 1 && each.others().isEmpty());
    }

    /** Whether an item has the chunk of its number. */
    boolean isNumbered(Piece.Chunk chunk) {
        return isCall ? !chunk.item().isRepeated() : isFixed();
    }

    /** The name of the chunks for eligible items. */
    String chunkWord() {
        return isCall ? "Read chunk" : "Write chunk";
    }

    /** The size of the RPC header with an empty credential and verifier. */
    int rpcHeader() {
        return isCall ? CALL_HEADER : REPLY_HEADER;
    }

    /** The size of the headers, with a chunk for each eligible item that is not in an array. */
    long headers() {
        long chunks = Math.min(chunkLimit, chunks().size());
        return TRANSPORT_HEADER + chunks * CHUNK + rpcHeader();
    }

    /** Whether the message without its eligible items always fits the threshold. */
    boolean alwaysFits() {
        return inline instanceof Size.Fixed fixed && headers() + fixed.bytes() <= limits.threshold();
    }

    /** How the message is sent, in a few words. */
    String way() {
        return alwaysFits() ? "inline" : limits.isBackward() ? "inline or not at all" : "inline or " + longChunk();
    }

    /** How the message is sent, as a caption of its drawing. */
    String send() {
        return alwaysFits() ? "Send" : limits.isBackward() ? "Send, if it fits" : "Send, or whole by " + longChunk();
    }

    private String longChunk() {
        return isCall ? "Position Zero Read chunk" : "Reply chunk";
    }

    /** How large the message can be, and how it is therefore sent, as a sentence. */
    String verdict() {
        String without = chunks().isEmpty() ? "" : " without its eligible items";
        if (alwaysFits()) {
            long most = headers() + ((Size.Fixed) inline).bytes();
            return "At most " + DocumentWording.bytes(most) + " with its headers" + (chunks().isEmpty() ? "" : " and")
                    + without + ": always fits inline.";
        }
        String size = inline instanceof Size.Unbounded
                ? "Nothing bounds it" + (chunks().isEmpty() ? "" : ", even" + without)
                : "At most " + DocumentWording.size(inline) + without + ", and " + DocumentWording.bytes(headers())
                        + " of headers";
        String fate = limits.isBackward() ? ": cannot be sent if it is" : ": goes by " + longChunk() + " if it is";
        return size + fate + " larger than " + DocumentWording.bytes(limits.threshold()) + ".";
    }
}
