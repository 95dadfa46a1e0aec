// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.xdr.ChunkMark.PayloadMark;

/**
 * An encoded message: the XDR stream without the bytes of payloads, and marks for the items that may become chunks. A transport that
 * moves no chunks sends {@link #unreduced}. The memory of the stream belongs to the owner of the encoder's buffers.
 */
public final class EncodedMessage {
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(3).asReadOnlyBuffer();

    private final ByteBuffer memory;
    private final int start;
    private final int length;
    private final List<ChunkMark> marks;

    EncodedMessage(ByteBuffer memory, int start, int length, List<ChunkMark> marks) {
        this.memory = memory;
        this.start = start;
        this.length = length;
        this.marks = List.copyOf(marks);
    }

    /** The stream from position 0 to its limit; a new view each time. */
    public ByteBuffer stream() {
        return memory.slice(start, length);
    }

    /** Bytes of the stream. */
    public int streamLength() {
        return length;
    }

    /** The marks, in stream order; those at one offset in the order of their items. Unmodifiable. */
    public List<ChunkMark> marks() {
        return marks;
    }

    /** The length with its XDR padding: the next multiple of four. */
    public static long roundUp(long length) {
        return length + padding(length);
    }

    /** Bytes of zero that fill an item up to a multiple of four (RFC 4506 section 3). */
    static int padding(long length) {
        return (int) (-length & 3);
    }

    /** The bytes of the whole message, including all payloads and their padding. */
    public long unreducedLength() {
        long total = length;
        if (marks.isEmpty()) {
            return total;
        }
        for (ChunkMark mark : marks) {
            total += payloadSpace(mark);
        }
        return total;
    }

    /**
     * Where an item begins in the whole, unreduced message (RFC 8166 section 3.4.5).
     *
     * @param mark one of {@link #marks}, by identity
     */
    public long positionOf(ChunkMark mark) {
        long earlierPayloads = 0;
        for (ChunkMark each : marks) {
            // By identity, because two empty payloads at one position make equal marks.
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
        ByteBuffer stream = stream();
        if (marks.isEmpty()) {
            return List.of(stream);
        }
        List<ByteBuffer> pieces = new ArrayList<>(1 + 3 * marks.size());
        int done = 0;
        for (ChunkMark mark : marks) {
            if (mark instanceof PayloadMark item) {
                addUnlessEmpty(pieces, stream.slice(done, item.streamOffset() - done));
                Payload payload = item.payload();
                for (int i = 0; i < payload.pieceCount(); i++) {
                    addUnlessEmpty(pieces, payload.piece(i).buffer());
                }
                addUnlessEmpty(pieces, ZEROS.slice(0, padding(item.length())));
                done = item.streamOffset();
            }
        }
        addUnlessEmpty(pieces, stream.slice(done, length - done));
        return pieces;
    }

    /**
     * A copy of the message in its own memory, valid after the end of the encoder's buffers and the payloads.
     *
     * @throws IOException if a payload's bytes are still elsewhere and cannot be fetched
     */
    public EncodedMessage copy() throws IOException {
        List<ChunkMark> copies = new ArrayList<>(marks.size());
        for (ChunkMark mark : marks) {
            copies.add(
                    mark instanceof PayloadMark item
                            ? new PayloadMark(
                                    item.streamOffset(),
                                    Payload.of(copy(item.payload().buffer())),
                                    item.eligible())
                            : mark);
        }
        return new EncodedMessage(copy(stream()), 0, length, copies);
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
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
