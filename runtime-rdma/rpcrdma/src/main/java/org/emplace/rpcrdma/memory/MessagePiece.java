// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayList;
import java.util.List;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.RangeMark;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;

/** A part of an encoded message from which the items that become chunks have been removed. */
public sealed interface MessagePiece {

    int length();

    /** A range of the encoder's stream. */
    record Stream(int offset, int length) implements MessagePiece {}

    /** A payload, or one piece of it, which is not in the stream. */
    record Item(Payload payload) implements MessagePiece {
        @Override
        public int length() {
            return Math.toIntExact(payload.length());
        }
    }

    /** The XDR padding after an item: zeros. */
    record Padding(int length) implements MessagePiece {}

    /**
     * Returns the pieces of a message in order, without the items that become chunks and their padding.
     *
     * @param chunks these items, in message order
     */
    static List<MessagePiece> of(EncodedMessage message, List<? extends ChunkMark> chunks) {
        List<MessagePiece> pieces = new ArrayList<>(2);
        int done = 0;
        int left = 0;
        for (int i = 0; i < message.marks().size(); i++) {
            ChunkMark mark = message.marks().get(i);
            // Compares by identity, because two equal items can be at the same offset of the stream.
            boolean leftOut = left < chunks.size() && chunks.get(left) == mark;
            left += leftOut ? 1 : 0;
            if (mark instanceof PayloadMark item && !leftOut) {
                addStream(pieces, done, mark.streamOffset());
                addItem(pieces, item.payload());
                done = mark.streamOffset();
            } else if (mark instanceof RangeMark range && leftOut) {
                addStream(pieces, done, mark.streamOffset());
                done = mark.streamOffset() + (int) range.length();
            }
        }
        addStream(pieces, done, message.streamLength());
        return pieces;
    }

    /**
     * Whether the encoder's stream is all that is sent inline: every payload becomes a chunk, and nothing else does.
     *
     * @param chunks the items that become chunks
     */
    static boolean isStream(EncodedMessage message, List<? extends ChunkMark> chunks) {
        return payloads(chunks) == chunks.size() && payloads(message.marks()) == chunks.size();
    }

    private static int payloads(List<? extends ChunkMark> marks) {
        int payloads = 0;
        for (int i = 0; i < marks.size(); i++) {
            payloads += marks.get(i) instanceof PayloadMark ? 1 : 0;
        }
        return payloads;
    }

    /** Returns the pieces of a payload, without padding. */
    static List<MessagePiece> of(Payload payload) {
        List<MessagePiece> pieces = new ArrayList<>(payload.pieceCount());
        addPieces(pieces, payload);
        return pieces;
    }

    /** Returns the total length of the pieces in bytes. */
    static long length(List<MessagePiece> pieces) {
        long length = 0;
        for (int i = 0; i < pieces.size(); i++) {
            length += pieces.get(i).length();
        }
        return length;
    }

    private static void addStream(List<MessagePiece> pieces, int from, int to) {
        if (to > from) {
            pieces.add(new Stream(from, to - from));
        }
    }

    private static void addItem(List<MessagePiece> pieces, Payload payload) {
        long length = payload.length();
        if (length > 0) {
            addPieces(pieces, payload);
            int padding = (int) (EncodedMessage.roundUp(length) - length);
            if (padding > 0) {
                pieces.add(new Padding(padding));
            }
        }
    }

    private static void addPieces(List<MessagePiece> pieces, Payload payload) {
        for (int i = 0; i < payload.pieceCount(); i++) {
            pieces.add(new Item(payload.piece(i)));
        }
    }
}
