// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * An encoded message: the XDR stream without the bytes of payloads, and marks for the items that may become chunks. A transport that
 * moves no chunks sends {@link #unreduced}.
 *
 * @param stream from position 0 to its limit; the caller's to read, its memory is where the encoder's buffers came from
 * @param marks in stream order; marks of one offset are in the order of the items
 */
public record EncodedMessage(ByteBuffer stream, List<ChunkMark> marks) {

    /** Copies the list. */
    public EncodedMessage {
        marks = List.copyOf(marks);
    }

    /** The length with its XDR padding: the next multiple of four. */
    public static long roundUp(long length) {
        return length + XdrPadding.after(length);
    }

    /** Bytes of the whole message, all payloads and their padding counted. */
    public long unreducedLength() {
        long length = stream.limit();
        for (ChunkMark mark : marks) {
            length += payloadSpace(mark);
        }
        return length;
    }

    /**
     * Where an item begins in the whole, unreduced message (RFC 5666bis section 4.4.4).
     *
     * @param mark one of {@link #marks}, by identity
     */
    public long positionOf(ChunkMark mark) {
        long earlierPayloads = 0;
        for (ChunkMark each : marks) {
            // Identity, since two empty payloads in one place make equal marks.
            @SuppressWarnings("ReferenceEquality")
            boolean found = each == mark;
            if (found) {
                return mark.streamOffset() + earlierPayloads;
            }
            earlierPayloads += payloadSpace(each);
        }
        throw new IllegalArgumentException("not a mark of this message: " + mark);
    }

    /**
     * The whole message as a list to gather: pieces of the stream, the payloads' own buffers, padding. Nothing is copied.
     *
     * @throws IOException if a payload's bytes are still elsewhere and cannot be fetched
     */
    public List<ByteBuffer> unreduced() throws IOException {
        List<ByteBuffer> pieces = new ArrayList<>(1 + 3 * marks.size());
        int done = 0;
        for (ChunkMark mark : marks) {
            if (mark instanceof PayloadMark item) {
                addUnlessEmpty(pieces, stream.slice(done, item.streamOffset() - done));
                addUnlessEmpty(pieces, item.payload().buffer());
                addUnlessEmpty(pieces, XdrPadding.bytesAfter(item.length()));
                done = item.streamOffset();
            }
        }
        addUnlessEmpty(pieces, stream.slice(done, stream.limit() - done));
        return pieces;
    }

    private static void addUnlessEmpty(List<ByteBuffer> pieces, ByteBuffer piece) {
        if (piece.hasRemaining()) {
            pieces.add(piece);
        }
    }

    private static long payloadSpace(ChunkMark mark) {
        return mark instanceof PayloadMark ? roundUp(mark.length()) : 0;
    }
}
