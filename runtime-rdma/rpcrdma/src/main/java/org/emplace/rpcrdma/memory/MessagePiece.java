// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.PayloadMark;
import org.emplace.xdr.RangeMark;

/** A part of what is left of an encoded message after some of its items have been taken out as chunks. */
public sealed interface MessagePiece {

    int length();

    /** Bytes of the encoder's stream. */
    record Stream(int offset, int length) implements MessagePiece {}

    /** The bytes of an item that the encoder left out of its stream. */
    record Item(Payload payload) implements MessagePiece {
        @Override
        public int length() {
            return Math.toIntExact(payload.length());
        }
    }

    /** XDR padding after an {@link Item}: zeros. */
    record Padding(int length) implements MessagePiece {}

    /** The pieces of {@code message} in order, without the items of {@code chunks} and their padding. */
    static List<MessagePiece> of(EncodedMessage message, List<? extends ChunkMark> chunks) {
        List<MessagePiece> pieces = new ArrayList<>();
        if (message.marks().isEmpty()) {
            addStream(pieces, 0, message.streamLength());
            return pieces;
        }
        Set<ChunkMark> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        taken.addAll(chunks);
        int done = 0;
        for (ChunkMark mark : message.marks()) {
            if (mark instanceof PayloadMark item && !taken.contains(mark)) {
                addStream(pieces, done, mark.streamOffset());
                addItem(pieces, item.payload());
                done = mark.streamOffset();
            } else if (mark instanceof RangeMark range && taken.contains(mark)) {
                addStream(pieces, done, mark.streamOffset());
                done = mark.streamOffset() + range.rangeLength();
            }
        }
        addStream(pieces, done, message.streamLength());
        return pieces;
    }

    /** Bytes of all pieces. */
    static long length(List<MessagePiece> pieces) {
        long length = 0;
        for (MessagePiece piece : pieces) {
            length += piece.length();
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
            pieces.add(new Item(payload));
            int padding = (int) (EncodedMessage.roundUp(length) - length);
            if (padding > 0) {
                pieces.add(new Padding(padding));
            }
        }
    }
}
