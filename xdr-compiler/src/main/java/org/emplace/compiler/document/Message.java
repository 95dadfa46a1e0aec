// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.List;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;

/**
 * A call or a reply as a binding lets it travel.
 *
 * @param isCall whether it is a call
 * @param pieces what it consists of behind the RPC header, in stream order
 * @param inline the largest encoded size of what is not eligible
 * @param chunkLimit how many chunks for eligible items it may have
 * @param limits what there is to carry it
 */
record Message(boolean isCall, List<Piece> pieces, Size inline, int chunkLimit, Limits limits) {

    /**
     * What carries the messages of a version.
     *
     * @param threshold the inline threshold to compare with, in bytes
     * @param isBackward whether they go in backward direction, without any chunk
     */
    record Limits(int threshold, boolean isBackward) {}

    /** An RPC-over-RDMA version 1 header with three empty lists. */
    static final int TRANSPORT_HEADER = 28;

    /** What one chunk of one segment adds to it. */
    static final int CHUNK = 24;

    private static final int CALL_HEADER = 40;
    private static final int REPLY_HEADER = 24;

    /** A part of a message. */
    sealed interface Piece {

        /** What always stays in the stream. */
        record Inline(List<String> names, Size largest) implements Piece {}

        /**
         * An eligible item.
         *
         * @param number of the chunk that takes it, if all before it are present
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

    /** How chunks of eligible items are called. */
    String chunkWord() {
        return isCall ? "Read chunk" : "Write chunk";
    }

    /** The RPC header with an empty credential and verifier. */
    int rpcHeader() {
        return isCall ? CALL_HEADER : REPLY_HEADER;
    }

    /** The headers, with a chunk for each eligible item that is not in an array. */
    long headers() {
        long chunks = Math.min(chunkLimit, chunks().size());
        return TRANSPORT_HEADER + chunks * CHUNK + rpcHeader();
    }

    /** Whether the message without its eligible items fits the threshold, whatever is in it. */
    boolean alwaysFits() {
        return inline instanceof Size.Fixed fixed && headers() + fixed.bytes() <= limits.threshold();
    }

    /** How it travels, in a word or a few. */
    String way() {
        return alwaysFits() ? "inline" : limits.isBackward() ? "inline or not at all" : "inline or " + longChunk();
    }

    /** How it travels, above its drawing. */
    String send() {
        return alwaysFits() ? "Send" : limits.isBackward() ? "Send, if it fits" : "Send, or whole by " + longChunk();
    }

    private String longChunk() {
        return isCall ? "Position Zero Read chunk" : "Reply chunk";
    }

    /** How large it gets, and what that means, in a sentence. */
    String verdict() {
        String without = chunks().isEmpty() ? "" : " and without its eligible items";
        if (alwaysFits()) {
            long most = headers() + ((Size.Fixed) inline).bytes();
            return "At most " + SizeText.bytes(most) + " with its headers" + without + ": always fits inline.";
        }
        String size = inline instanceof Size.Unbounded
                ? "Nothing bounds it" + (chunks().isEmpty() ? "" : ", even without its eligible items")
                : "At most " + SizeText.of(inline) + without + ", and " + SizeText.bytes(headers()) + " of headers";
        String fate =
                limits.isBackward() ? ": cannot be sent where it is" : ": goes by " + longChunk() + " where it is";
        return size + fate + " larger than " + SizeText.bytes(limits.threshold()) + ".";
    }
}
